#!/usr/bin/env python3
"""Chapter 16: what the side of the tiles of Puzzle 16 does to requests and time at the real shape, by the simulator's model."""

from experiment import print_table, solution, time


def million(count: float) -> str:
    return f"{count / 1e6:.3g} M"


def main() -> None:
    rows = []
    with solution("16_matmul") as copy:
        for variant, side in (("naive", 16), ("tiled", 8), ("tiled", 16), ("tiled", 32)):
            copy.set_constant("tile.h", "kTile", side)
            launch = copy.launch(variant)
            modelled, counters = launch["modelled"], launch["counters"]
            loads = sum(site["requests"] for site in counters["sites"] if site["kind"] == "global load")
            rows.append([f"--{variant}", f"{side} × {side}" if variant == "tiled" else "–", f"{side * side}", million(loads),
                         million(counters["shared_passes"]), time(modelled["total_us"])])
    print_table(["Kernel", "Tile", "Threads a block", "Global load requests", "Passes of shared memory", "Modelled"], rows,
                f"The solutions with another kTile, real shape. Modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
