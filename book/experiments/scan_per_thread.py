#!/usr/bin/env python3
"""What the number of elements of a thread does to the scans of Puzzle 14 at the real shape, by the simulator's model.

Chapter 14 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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
PUZZLE = "14_prefix_sum"


def replace(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for pattern, by in pairs:
        text, found = re.subn(pattern, by, text)
        assert found, f"{path.name} has {pattern}"
    path.write_text(text, encoding="utf-8")


def benchmark(program: str, folder: Path, variant: str) -> dict:
    """The real shape as recorded."""
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "14", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    return real


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Elements a thread", "Pieces", "Three launches", "of it the second", "One pass"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        for elements in (3, 7, 15, 23, 31):
            folder = Path(temporary) / str(elements)
            for part in ("puzzles", "solutions"):
                shutil.copytree(ROOT / part, folder / part)
            replace(folder / "puzzles" / PUZZLE / "given.cuh", (r"(kPerThread = )\d+;", rf"\g<1>{elements};"))
            replace(folder / "puzzles" / PUZZLE / "puzzle.cpp", (r"256 \* 23", f"256 * {elements}"), (r"N/5888", f"N/{256 * elements}"))
            complete, single = (benchmark(program, folder, variant) for variant in ("complete", "single-pass"))
            times = [launch["modelled"]["total_us"] for launch in complete["launches"]]
            once = sum(launch["modelled"]["total_us"] for launch in single["launches"])
            pieces = complete["launches"][0]["grid"][0]
            table["rows"].append([f"{elements}", f"{pieces}", f"{sum(times):.3g} µs", f"{times[1]:.3g} µs", f"{once:.3g} µs"])
            gpu = complete["launches"][0]["modelled"]["gpu"]
    table["note"] = f"The solution with another kPerThread, real shape. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
