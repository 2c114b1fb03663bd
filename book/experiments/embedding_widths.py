#!/usr/bin/env python3
"""As many elements of the result in short rows and in long ones: two layouts of Puzzle 21, by the simulator's model.

Chapter 21 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK
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
PUZZLE = "21_embedding"
ELEMENTS, TEXTS, VOCABULARY = 1 << 21, 8, 10_000
FEATURES = (4, 8, 32, 512)  # --vector takes multiples of four only


def launch(program: str, folder: Path, variant: str, features: int) -> dict:
    """The launch of the real shape as recorded, with rows of `features`."""
    source = (ROOT / "puzzles" / PUZZLE / "puzzle.cpp").read_text(encoding="utf-8")
    length = ELEMENTS // TEXTS // features
    bench = f'.bench = {{{{"B", {TEXTS}}}, {{"L", {length}}}, {{"V", {VOCABULARY}}}, {{"E", {features}}}}},\n'
    changed, found = re.subn(r"\.bench = \{.*\},\n", bench, source)
    assert found == 1, "puzzle.cpp has one bench shape"
    (folder / "puzzles" / PUZZLE / "puzzle.cpp").write_text(changed, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "21", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (only,) = real["launches"]
    return only


def table_sectors(done: dict) -> float:
    """Sectors a request of the load that reads the table: the one that meets most."""
    loads = [site for site in done["counters"]["sites"] if site["kind"].startswith("global load")]
    return max(site["sectors"] / site["requests"] for site in loads)


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Features of a row", "`--2d`", "sectors a load", "`--coalesced`", "sectors a load", "2D against coalesced"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        for features in FEATURES:
            row, times = [f"{features}"], []
            for variant in ("2d", "coalesced"):
                done = launch(program, folder, variant, features)
                times.append(done["modelled"]["total_us"])
                row += [f"{times[-1]:.3g} µs", f"{table_sectors(done):.3g}"]
            table["rows"].append([*row, f"{times[0] / times[1]:.2f}×"])
        gpu = done["modelled"]["gpu"]
    table["note"] = (f"The solution, {ELEMENTS} elements in the result in each row of this table, a vocabulary of {VOCABULARY}. Sectors a load: how many of 32 bytes "
                     f"a request of a warp for elements of the table touches. Modelled: the simulator's clock for the {gpu}.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
