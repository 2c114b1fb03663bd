#!/usr/bin/env python3
"""Chapter 01: what the size of its blocks costs the solution of Puzzle 01 at the real shape, by the simulator's model."""

from experiment import print_table, solution, time


def main() -> None:
    rows = []
    with solution("01_map") as copy:
        for threads in (32, 64, 128, 256, 1024):
            copy.set_constant("kernels.cu", "kBlockSize", threads)
            launch = copy.launch("map")
            modelled = launch["modelled"]
            rows.append([f"{threads}", f"{launch['grid'][0]}", time(modelled["total_us"]), modelled["bound"]])
    print_table(["Threads a block", "Blocks", "Modelled", "Bound by"], rows,
                f"The solution with another kBlockSize, real shape. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
