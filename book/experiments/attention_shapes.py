#!/usr/bin/env python3
"""As many pairs of query and key in other shapes: the two ways of Puzzle 19, by the simulator's model.

Chapter 19 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK
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
PUZZLE = "19_attention_op"
PAIRS = 1 << 24
QUERIES = (1024, 4096, 16384, 65536)


def benchmark(program: str, folder: Path, variant: str, queries: int) -> dict:
    """The real shape as recorded, with `queries` queries and as many keys as PAIRS allows."""
    source = (ROOT / "puzzles" / PUZZLE / "puzzle.cpp").read_text(encoding="utf-8")
    changed, found = re.subn(r'(\.bench = \{\{"Q", )\d+(\}, \{"K", )\d+', rf"\g<1>{queries}\g<2>{PAIRS // queries}", source)
    assert found == 1, "puzzle.cpp has one bench shape with Q and K"
    (folder / "puzzles" / PUZZLE / "puzzle.cpp").write_text(changed, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "19", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    return real


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Queries", "Keys", "`--unfused`", "`--fused`", "its blocks", "bound by", "Unfused against fused"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        for queries in QUERIES:
            unfused, fused = (benchmark(program, folder, variant, queries) for variant in ("unfused", "fused"))
            launch = fused["launches"][0]
            times = [run["modelled_total_us"] for run in (unfused, fused)]
            table["rows"].append([f"{queries}", f"{PAIRS // queries}", f"{times[0]:.3g} µs", f"{times[1]:.3g} µs", f"{launch['grid'][0]}",
                                  launch["modelled"]["bound"], f"{times[0] / times[1]:.2f}×"])
        gpu = launch["modelled"]["gpu"]
    table["note"] = (f"The solution, with {PAIRS} pairs of a query and a key in each row: the same arithmetic, and the same two matrices for --unfused. "
                     f"Modelled: the simulator's clock for the {gpu}.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
