#!/usr/bin/env python3
"""Chapter 06: what the number of blocks costs the solution of Puzzle 06 at the real shape, by the simulator's model."""

from experiment import print_table, solution, time

SMS = 132  # streaming multiprocessors of an H200 (NVIDIA's datasheet)
BLOCK = 64


def main() -> None:
    rows = []
    with solution("06_blocks") as copy:
        for blocks in (1, 4, SMS, 8 * SMS, 32 * SMS, 64 * SMS, 256 * SMS, None):  # None: as many as --many has
            if blocks:
                copy.set_constant("sizes.h", "kFewBlocks", blocks)
            real = copy.benchmark("few" if blocks else "many")
            (launch,) = real["launches"]
            modelled, blocks = launch["modelled"], launch["grid"][0]
            each = blocks / SMS
            turns = -(-real["sizes"]["N"] // (blocks * BLOCK))
            rows.append([f"{blocks}", "–" if each < 1 else f"{each:.0f}", f"{turns}", time(modelled["total_us"]), modelled["bound"]])
    print_table(["Blocks", "a multiprocessor", "Elements a thread", "Modelled", "Bound by"], rows,
                f"The solution's kernel with another kFewBlocks, blocks of {BLOCK} threads, real shape. Elements a thread: the most that one has. "
                f"Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
