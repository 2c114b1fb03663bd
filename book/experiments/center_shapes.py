#!/usr/bin/env python3
"""Chapter 24: the three ways of Puzzle 24 on as many elements in few long rows and in many short ones, by the simulator's model."""

from experiment import print_table, solution, time

ELEMENTS = 1 << 24
COLUMNS = (32, 256, 2048, 16384)
VARIANTS = ("warp", "block", "tree")


def main() -> None:
    rows = []
    with solution("24_warp_sum") as copy:
        for columns in COLUMNS:
            copy.change("puzzle.cpp", r"\.bench = \{[^\n]*\},\n", f'.bench = {{{{"R", {ELEMENTS // columns}}}, {{"C", {columns}}}}},\n')
            real = {variant: copy.benchmark(variant) for variant in VARIANTS}
            times = {variant: bench["modelled_total_us"] for variant, bench in real.items()}
            rows.append([f"{ELEMENTS // columns}", f"{columns}", *(time(times[variant]) for variant in VARIANTS),
                         f"{times['tree'] / times['block']:.2f}×"])
    gpu = real["tree"]["launches"][0]["modelled"]["gpu"]
    print_table(["Rows", "Columns", "`--warp`", "`--block`", "`--tree`", "Block against tree"], rows,
                f"The solution on {ELEMENTS} elements. Modelled: the simulator's clock for the {gpu}. Last column: the time with the tree over that "
                "with a block of warps.")


if __name__ == "__main__":
    main()
