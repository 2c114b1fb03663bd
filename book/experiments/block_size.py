#!/usr/bin/env python3
"""What the size of its blocks costs the solution of Puzzle 01 at the real shape, by the simulator's model.

Chapter 01 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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
PUZZLE = "01_map"


def benchmark(program: str, folder: Path, threads: int) -> dict:
    """The launch of the real shape as recorded, with blocks of `threads`."""
    kernels = folder / "puzzles" / PUZZLE / "kernels.cu"
    source = (ROOT / "solutions" / PUZZLE / "kernels.cu").read_text(encoding="utf-8")
    changed, found = re.subn(r"(kBlockSize = )\d+;", rf"\g<1>{threads};", source)
    assert found == 1, "kernels.cu sets kBlockSize once"
    kernels.write_text(changed, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "run", "1", "--backend", "sim", "--json"], check=True, text=True, cwd=folder, env=environment,
                          stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Threads a block", "Blocks", "Modelled", "Bound by"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part, folder / part)
        for threads in (32, 64, 128, 256, 1024):
            launch = benchmark(program, folder, threads)
            modelled = launch["modelled"]
            table["rows"].append([f"{threads}", f"{launch['grid'][0]}", f"{modelled['total_us']:.3g} µs", modelled["bound"]])
            gpu = modelled["gpu"]
    table["note"] = f"The solution with another kBlockSize, real shape. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
