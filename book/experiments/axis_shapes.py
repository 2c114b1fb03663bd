#!/usr/bin/env python3
"""Chapter 15: the two ways of Puzzle 15 to sum rows, over shapes with the same number of elements, by the simulator's model."""

from experiment import print_table, solution, time

SHAPES = ((65536, 256), (16384, 1024), (4096, 4096), (1024, 16384))


def main() -> None:
    rows = []
    with solution("15_axis_sum") as copy:
        for row_count, column_count in SHAPES:
            # Each of the two tasks has a real shape.
            copy.change("puzzle.cpp", r'\.bench = \{\{"R", \d+\}, \{"C", \d+\}\}',
                        f'.bench = {{{{"R", {row_count}}}, {{"C", {column_count}}}}}', times=2)
            cells = []
            for variant in ("thread-per-row", "block-per-row"):
                modelled = copy.launch(variant)["modelled"]
                cells += [time(modelled["total_us"]), modelled["bound"]]
            rows.append([f"{row_count}", f"{column_count}", *cells])
    print_table(["Rows", "Columns", "Thread a row", "bound by", "Block a row", "bound by"], rows,
                f"The solutions, 16.8 million elements in each shape. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
