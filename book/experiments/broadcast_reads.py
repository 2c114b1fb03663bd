#!/usr/bin/env python3
"""Who answers the reads of Puzzle 05's broadcast_kernel at the real shape: what threads ask for, and what is left of it on
the way to DRAM, as the simulator counts it.

Chapter 05 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
WORKBOOK names, else bin/workbook.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTOR = 32


def size(count: float) -> str:
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count:.0f} B"


def real_shape(program: str) -> dict:
    """The benchmark at the real shape, of the solution."""
    with tempfile.TemporaryDirectory() as state:
        environment = dict(os.environ, WORKBOOK_ROOT=str(ROOT), WORKBOOK_STATE=state)
        done = subprocess.run([program, "solution", "5", "--broadcast", "--backend", "sim", "--json"], check=True, text=True,
                              env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    return next(bench for bench in record["benchmarks"] if bench["name"] == "real")


def main() -> None:
    bench = real_shape(os.environ.get("WORKBOOK", str(ROOT / "bin/workbook")))
    (launch,) = bench["launches"]
    steps = {"Threads ask for": lambda site, _: site["bytes"],
             "Warps ask for, in whole sectors": lambda site, _: SECTOR * site["sectors"],
             "L1 does not have: from L2": lambda site, _: SECTOR * (site["sectors"] - site["l1_sectors"]),
             "L2 does not have: from DRAM": lambda _, moved: moved["bytes_read"]}
    columns = {}
    for name in ("a", "b"):
        tensor = next(t["id"] for t in bench["tensors"] if t["name"] == name)
        (site,) = (s for s in launch["counters"]["sites"] if s["tensor"] == tensor and s["kind"] == "global load")
        (moved,) = (t for t in launch["counters"]["traffic"] if t["tensor"] == tensor)
        columns[name] = [count(site, moved) for count in steps.values()]
    table = {"head": ["Reads of", *(f"`{name}`" for name in columns), "together"],
             "rows": [[step, *map(size, counts), size(sum(counts))] for step, *counts in zip(steps, *columns.values())]}
    table["note"] = ("The solution of --broadcast at the real shape. Counted by the simulator, whose L1 is that of one block; "
                     "scaled from a sample of blocks.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
