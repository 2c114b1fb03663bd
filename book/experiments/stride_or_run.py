#!/usr/bin/env python3
"""Chapter 06: Puzzle 06 with a grid-stride loop and with a run of neighbouring elements for each thread, by the simulator's model."""

from experiment import print_table, solution, time
from grid_blocks import SMS

RUN = ("const int each = (size + step - 1) / step;\n"
       "  for (int i = first * each; i < size && i < (first + 1) * each; ++i) x[i] = x[i] / 2 + 3;")


def main() -> None:
    rows = []
    with solution("06_blocks") as copy:
        for blocks in (32 * SMS, 4):
            copy.set_constant("sizes.h", "kFewBlocks", blocks)
            for name, loop in (("every so many-th element", None), ("a run of neighbours", RUN)):
                copy.restore("kernels.cu")
                if loop:
                    copy.change("kernels.cu", r"for \(int i = first;[^\n]*", loop)
                launch = copy.launch("few")
                sites, modelled = launch["counters"]["sites"], launch["modelled"]
                sectors = sum(site["sectors"] for site in sites) / sum(site["requests"] for site in sites)
                rows.append([f"{blocks}", name, f"{sectors:.3g}", time(modelled["total_us"]), modelled["bound"]])
    print_table(["Blocks", "A thread takes", "Sectors a request", "Modelled", "Bound by"], rows,
                f"Puzzle 06 at the real shape. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
