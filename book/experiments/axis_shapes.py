#!/usr/bin/env python3
"""The two ways of Puzzle 15 to sum rows, over shapes with the same number of elements, by the simulator's model.

Chapter 15 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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
PUZZLE = "15_axis_sum"
SHAPES = ((65536, 256), (16384, 1024), (4096, 4096), (1024, 16384))


def benchmark(variant: str, rows: int, cols: int) -> dict:
    """The modelled time of a variant's one launch at R `rows`, C `cols`, which replace the real shape of its task."""
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        shutil.copy(ROOT / "solutions" / PUZZLE / "kernels.cu", folder / "puzzles" / PUZZLE)
        declaration = folder / "puzzles" / PUZZLE / "puzzle.cpp"
        text, found = re.subn(r'\.bench = \{\{"R", \d+\}, \{"C", \d+\}\}', f'.bench = {{{{"R", {rows}}}, {{"C", {cols}}}}}',
                              declaration.read_text(encoding="utf-8"))
        assert found == 2, "each of the two tasks has a real shape"
        declaration.write_text(text, encoding="utf-8")
        environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
        done = subprocess.run([program, "run", "15", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                              env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch["modelled"]


def main() -> None:
    table = {"head": ["Rows", "Columns", "Thread a row", "bound by", "Block a row", "bound by"], "rows": []}
    for rows, cols in SHAPES:
        cells = []
        for variant in ("thread-per-row", "block-per-row"):
            modelled = benchmark(variant, rows, cols)
            cells += [f"{modelled['total_us']:.3g} µs", modelled["bound"]]
            gpu = modelled["gpu"]
        table["rows"].append([str(rows), str(cols), *cells])
    table["note"] = f"The solutions, 16.8 million elements in each shape. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
