#!/usr/bin/env python3
"""Keys a part of Puzzle 45's --split: fewer fill the GPU, more leave less to combine. By the simulator's model.

Chapter 45 shows the table; book/refresh.py stores it in data/tables/.
"""

from experiment import print_table, size, solution, time

PUZZLE = "45_latent_attention"
KEYS = (16, 64, 256)


def row(keys: int) -> list[str]:
    with solution(PUZZLE) as copy:
        copy.set_constant("sizes.h", "kPart", keys)
        copy.change("puzzle.cpp", r"ceil\(T/64\)", f"ceil(T/{keys})", times=3)
        launches = {launch["kernel"]: launch for launch in copy.benchmark("split")["launches"]}
    split, combine = launches["split_kernel"], launches["combine_kernel"]
    bytes_moved = sum(launch["counters"]["dram_bytes_read"] + launch["counters"]["dram_bytes_written"] for launch in launches.values())
    blocks = split["grid"][0] * split["grid"][1]
    return [f"{keys}", f"{blocks}", size(bytes_moved), time(split["modelled"]["total_us"]), time(combine["modelled"]["total_us"]),
            time(sum(launch["modelled"]["total_us"] for launch in launches.values()))]


def main() -> None:
    print_table(["Keys a part", "Blocks", "DRAM", "`split_kernel`", "`combine_kernel`", "All four launches"], [row(keys) for keys in KEYS],
                "The real shape, modelled (H200).")


if __name__ == "__main__":
    main()
