#!/usr/bin/env python3
"""Chapter 43: the variants of Puzzle 43 at the real shape with more rows, by the simulator's model."""

from experiment import print_table, solution, time

VARIANTS = ("epilogue", "fused", "interleaved", "split")
ROWS = (8, 64, 512)


def main() -> None:
    rows = []
    with solution("43_gated_mlp") as copy:
        for count in ROWS:
            copy.change("puzzle.cpp", r'\.bench = \{\{"B", \d+\}', f'.bench = {{{{"B", {count}}}')
            cells = []
            for variant in VARIANTS:
                launches = copy.benchmark(variant)["launches"]
                total = sum(launch["modelled"]["total_us"] for launch in launches)
                bound = max(launches, key=lambda launch: launch["modelled"]["total_us"])["modelled"]["bound"]
                cells.append((total, bound))
            rows.append([f"{count}", *(f"{time(total)}, {bound}" for total, bound in cells)])
    print_table(["Rows $B$", *(f"`--{variant}`" for variant in VARIANTS)], rows,
                f"The solutions, $H$ and $O$ as at the real shape: the time and what bounds the longest launch. Modelled: the simulator's clock for the "
                f"{launches[0]['modelled']['gpu']}.")


if __name__ == "__main__":
    main()
