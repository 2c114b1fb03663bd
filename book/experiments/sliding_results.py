#!/usr/bin/env python3
"""Chapter 13: what the number of results of a thread does to the sliding window of Puzzle 13, by the simulator's counters and clock."""

from experiment import print_table, solution, time


def main() -> None:
    rows = []
    with solution("13_convolution_1d") as copy:
        # Even numbers meet conflicts: here they are wanted.
        copy.change("puzzle.cpp", r", \.conflicts = 0", "")
        for results in (1, 2, 3, 4, 5, 7, 8):
            copy.set_constant("given.cuh", "kPerThread", results)
            launch = copy.launch("sliding")
            counters, modelled = launch["counters"], launch["modelled"]
            rows.append([f"{results}", f"{counters['shared_requests'] / 1e6:.3g} M", f"{counters['shared_passes'] / 1e6:.3g} M",
                         time(modelled["total_us"]), modelled["bound"]])
    print_table(["Results a thread", "Reads and writes of shared memory", "Passes over the banks", "Modelled", "Bound by"], rows,
                f"The solution with another kPerThread, real shape; requests of warps. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
