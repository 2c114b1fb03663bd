#!/usr/bin/env python3
"""What the number of results of a thread does to the sliding window of Puzzle 13, by the simulator's counters and clock.

Chapter 13 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
WORKBOOK names, else bin/workbook.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = "13_convolution_1d"


def replace(path: Path, pattern: str, by: str) -> None:
    changed, found = re.subn(pattern, by, path.read_text(encoding="utf-8"))
    assert found == 1, f"{path.name} has {pattern} once"
    path.write_text(changed, encoding="utf-8")


def benchmark(program: str, folder: Path, results: int) -> dict:
    """The launch of the real shape as recorded, with `results` results a thread."""
    replace(folder / "puzzles" / PUZZLE / "given.cuh", r"(kPerThread = )\d+;", rf"\g<1>{results};")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "13", "--sliding", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Results a thread", "Reads and writes of shared memory", "Passes over the banks", "Modelled", "Bound by"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part, folder / part)
        # Even numbers meet conflicts: here they are wanted.
        replace(folder / "puzzles" / PUZZLE / "puzzle.cpp", r", \.conflicts = 0", "")
        for results in (1, 2, 3, 4, 5, 7, 8):
            launch = benchmark(program, folder, results)
            counters, modelled = launch["counters"], launch["modelled"]
            table["rows"].append([f"{results}", f"{counters['shared_requests'] / 1e6:.3g} M", f"{counters['shared_passes'] / 1e6:.3g} M",
                                  f"{modelled['total_us']:.3g} µs", modelled["bound"]])
            gpu = modelled["gpu"]
    table["note"] = f"The solution with another kPerThread, real shape; requests of warps. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
