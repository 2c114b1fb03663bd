#!/usr/bin/env python3
"""Chapter 02: what the time of an elementwise kernel depends on: the solutions of Puzzles 01 and 02 with more bytes, more operations and larger blocks, at
the real shape, by the simulator's model."""

from experiment import print_table, solution, time

ELEMENTS = 1 << 24


def main() -> None:
    rows = []
    with solution("01_map") as first, solution("02_zip") as second:
        runs = [("map, Puzzle 01", first, "map", threads, None) for threads in (64, 256)]
        runs += [("zip", second, "zip", threads, None) for threads in (64, 256)]
        runs += [(f"steps, {steps}", second, "steps", 256, steps) for steps in (16, 64, 128, 256)]
        for name, copy, variant, threads, steps in runs:
            copy.set_constant("kernels.cu", "kBlockSize", threads)
            if steps:
                copy.set_constant("given.h", "kSteps", steps)
            launch = copy.launch(variant)
            modelled, counters = launch["modelled"], launch["counters"]
            moved = counters["dram_bytes_read"] + counters["dram_bytes_written"]
            intensity = counters["flops"] / moved
            rows.append([name, f"{threads}", f"{moved / ELEMENTS:g}", f"{counters['flops'] / ELEMENTS:g}", f"{intensity:.2g}",
                         time(modelled["total_us"]), modelled["bound"]])
    turn = intensity * modelled["dram_us"] / modelled["arithmetic_us"]
    print_table(["Kernel", "Threads a block", "Bytes an element", "Operations an element", "Operations a byte", "Modelled", "Bound by"], rows,
                f"The solutions with another kBlockSize and another kSteps, real shape. Modelled: the simulator's clock for the {modelled['gpu']}. "
                f"There DRAM and arithmetic take equally long at {turn:.2g} operations a byte.")


if __name__ == "__main__":
    main()
