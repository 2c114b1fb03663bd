#!/usr/bin/env python3
"""Chapter 05: who answers the reads of Puzzle 05's broadcast_kernel at the real shape: what threads ask for, and what is left of it on the way to DRAM, as
the simulator counts it."""

from experiment import print_table, size, solution

SECTOR = 32
STEPS = {"Threads ask for": lambda site, _: site["bytes"],
         "Warps ask for, in whole sectors": lambda site, _: SECTOR * site["sectors"],
         "L1 does not have: from L2": lambda site, _: SECTOR * (site["sectors"] - site["l1_sectors"]),
         "L2 does not have: from DRAM": lambda _, moved: moved["bytes_read"]}


def main() -> None:
    with solution("05_broadcast") as copy:
        bench = copy.benchmark("broadcast")
    (launch,) = bench["launches"]
    columns = {}
    for name in ("a", "b"):
        tensor = next(t["id"] for t in bench["tensors"] if t["name"] == name)
        (site,) = (s for s in launch["counters"]["sites"] if s["tensor"] == tensor and s["kind"] == "global load")
        (moved,) = (t for t in launch["counters"]["traffic"] if t["tensor"] == tensor)
        columns[name] = [count(site, moved) for count in STEPS.values()]
    print_table(["Reads of", *(f"`{name}`" for name in columns), "together"],
                [[step, *map(size, counts), size(sum(counts))] for step, *counts in zip(STEPS, *columns.values())],
                "The solution of --broadcast at the real shape. Counted by the simulator, whose L1 is that of one block; "
                "scaled from a sample of blocks.")


if __name__ == "__main__":
    main()
