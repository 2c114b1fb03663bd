#!/usr/bin/env python3
"""Chapter 16: what it costs in --naive of Puzzle 16 to let x run down the rows of C, by the simulator's model."""

from experiment import print_table, solution, time

# Within its tile of C only: the grid stays as it is, and the result is right.
SWAPPED = [(r"blockIdx\.y \* blockDim\.y \+ threadIdx\.y", "blockIdx.y * blockDim.y + threadIdx.x"),
           (r"blockIdx\.x \* blockDim\.x \+ threadIdx\.x", "blockIdx.x * blockDim.x + threadIdx.y")]


def main() -> None:
    rows = []
    with solution("16_matmul") as copy:
        for words, edits in (("the columns of C", []), ("the rows of C", SWAPPED)):
            for edit in edits:
                copy.change("kernels.cu", *edit)
            launch = copy.launch("naive")
            loads = [site for site in launch["counters"]["sites"] if site["kind"] == "global load"]
            sectors = sum(site["sectors"] for site in loads) / sum(site["requests"] for site in loads)
            modelled = launch["modelled"]
            rows.append([words, f"{sectors:.3g}", time(modelled["total_us"])])
    print_table(["Along x, and so along a warp", "Sectors a load request", "Modelled"], rows,
                f"--naive, real shape; the results are the same. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
