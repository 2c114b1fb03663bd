#!/usr/bin/env python3
"""Chapter 07: what the shape of its blocks costs the solution of Puzzle 07 at the real shape, by the simulator's model."""

from experiment import print_table, solution, time

THREADS, WARP = 256, 32


def main() -> None:
    rows = []
    with solution("07_blocks_2d") as copy:
        for width in (256, 128, 64, 32, 16, 8, 4, 2, 1):
            copy.change("kernels.cu", r"block = dim3\(\d+, \d+\);", f"block = dim3({width}, {THREADS // width});")
            bench = copy.benchmark("chosen")
            (launch,) = bench["launches"]
            modelled = launch["modelled"]
            tensors = {tensor["id"]: tensor["name"] for tensor in bench["tensors"]}
            sites = {tensors[site["tensor"]]: site for site in launch["counters"]["sites"]}
            each = [f"{sites[name]['sectors'] / sites[name]['requests']:.3g}" for name in ("a", "b", "out")]
            missed = (sites["b"]["sectors"] - sites["b"]["l1_sectors"]) / sites["b"]["requests"]
            across = min(width, WARP)
            rows.append([f"{width} × {THREADS // width}", f"{across} × {WARP // across}", *each, f"{missed:.3g}", time(modelled["total_us"]),
                         modelled["bound"]])
    print_table(["Block", "Warp", "`a`", "`b`", "`out`", "`b` from L2", "Modelled", "Bound by"], rows,
                "The solution with another block, real shape. Sectors that a request of a warp touches, and those of <code>b</code> that L1 "
                f"does not have. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
