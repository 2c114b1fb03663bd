#!/usr/bin/env python3
"""The three ways of Puzzle 24 on as many elements in few long rows and in many short ones, by the simulator's model.

Chapter 24 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK
names, else bin/workbook.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = "24_warp_sum"
ELEMENTS = 1 << 24
COLUMNS = (32, 256, 2048, 16384)


def modelled_us(program: str, folder: Path, columns: int) -> tuple[dict[str, float], str]:
    """The solution's modelled time at a real shape with rows of `columns`, by variant, and the GPU's name."""
    declaration = folder / "puzzles" / PUZZLE / "puzzle.cpp"
    source = (ROOT / "puzzles" / PUZZLE / "puzzle.cpp").read_text(encoding="utf-8")
    changed, found = re.subn(r"\.bench = \{.*\},\n", f'.bench = {{{{"R", {ELEMENTS // columns}}}, {{"C", {columns}}}}},\n', source)
    assert found == 1, "puzzle.cpp has one bench shape"
    declaration.write_text(changed, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    times = {}
    for variant in ("warp", "block", "tree"):
        done = subprocess.run([program, "solution", "24", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                              env=environment, stdout=subprocess.PIPE)
        record = json.loads(done.stdout)
        record = record[0] if isinstance(record, list) else record.get("run", record)
        (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
        times[variant] = real["modelled_total_us"]
        gpu = real["launches"][0]["modelled"]["gpu"]
    return times, gpu


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Rows", "Columns", "`--warp`", "`--block`", "`--tree`", "Block against tree"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        for columns in COLUMNS:
            times, gpu = modelled_us(program, folder, columns)
            table["rows"].append([f"{ELEMENTS // columns}", f"{columns}", *(f"{times[v]:.3g} µs" for v in ("warp", "block", "tree")),
                                  f"{times['tree'] / times['block']:.2f}×"])
    table["note"] = (f"The solution on {ELEMENTS} elements. Modelled: the simulator's clock for the {gpu}. Last column: the time with the tree over that "
                     "with a block of warps.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
