#!/usr/bin/env python3
"""The filter of Puzzle 17 whole in shared memory and in pieces, for more and more taps, by the simulator's model.

Chapter 17 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK
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
PUZZLE = "17_convolution_op"
TAPS = (64, 256, 1024, 4096)
TILE, PIECE = 128, 128  # kBlockSize and kPiece


def launch(program: str, folder: Path, variant: str, taps: int) -> dict:
    """The launch of the real shape as recorded, with `taps` taps, and room for as many in --batch."""
    sizes = (ROOT / "puzzles" / PUZZLE / "sizes.h").read_text(encoding="utf-8")
    changed, found = re.subn(r"(kMaxTaps = )\d+;", rf"\g<1>{max(taps, 256)};", sizes)
    assert found == 1, "sizes.h has kMaxTaps once"
    (folder / "puzzles" / PUZZLE / "sizes.h").write_text(changed, encoding="utf-8")
    source = (ROOT / "puzzles" / PUZZLE / "puzzle.cpp").read_text(encoding="utf-8")
    changed, found = re.subn(r'(\.bench = .*\{"K", )\d+', rf"\g<1>{taps}", source)
    assert found == 1, "puzzle.cpp has one bench shape with K"
    (folder / "puzzles" / PUZZLE / "puzzle.cpp").write_text(changed, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "17", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (only,) = real["launches"]
    return only


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Taps", "`--batch` with room for them", "its shared memory", "`--pieces`", "its shared memory"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        for taps in TAPS:
            row = [f"{taps}"]
            for variant, room in (("batch", max(taps, 256)), ("pieces", PIECE)):
                done = launch(program, folder, variant, taps)
                row += [f"{done['modelled']['total_us']:.3g} µs", f"{4 * (TILE + 2 * room - 1)} B"]
            table["rows"].append(row)
        gpu = done["modelled"]["gpu"]
    table["note"] = f"The solution at the real shape with another K, and kMaxTaps at least K. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
