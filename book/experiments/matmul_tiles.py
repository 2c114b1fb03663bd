#!/usr/bin/env python3
"""What the side of the tiles of Puzzle 16 does to requests and time at the real shape, by the simulator's model.

Chapter 16 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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
PUZZLE = "16_matmul"


def benchmark(variant: str, changes: dict[str, list[tuple[str, str]]]) -> dict:
    """The launch of the real shape as recorded, `changes` made in files of the puzzle: pattern and text, each found once."""
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        puzzle = folder / "puzzles" / PUZZLE
        shutil.copy(ROOT / "solutions" / PUZZLE / "kernels.cu", puzzle)
        for name, edits in changes.items():
            text = (puzzle / name).read_text(encoding="utf-8")
            for pattern, words in edits:
                text, found = re.subn(pattern, words, text)
                assert found == 1, f"{name} holds {pattern} once"
            (puzzle / name).write_text(text, encoding="utf-8")
        environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
        done = subprocess.run([program, "run", "16", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                              env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch


def loads(launch: dict, what: str) -> int:
    return sum(site[what] for site in launch["counters"]["sites"] if site["kind"] == "global load")


def million(count: float) -> str:
    return f"{count / 1e6:.3g} M"


def time(us: float) -> str:
    return f"{us:.3g} µs" if us < 999.5 else f"{us / 1e3:.3g} ms"


def main() -> None:
    table = {"head": ["Kernel", "Tile", "Threads a block", "Global load requests", "Passes of shared memory", "Modelled"], "rows": []}
    for variant, side in (("naive", 16), ("tiled", 8), ("tiled", 16), ("tiled", 32)):
        launch = benchmark(variant, {"tile.h": [(r"(kTile = )\d+;", rf"\g<1>{side};")]})
        modelled, counters = launch["modelled"], launch["counters"]
        gpu = modelled["gpu"]
        table["rows"].append([f"--{variant}", f"{side} × {side}" if variant == "tiled" else "–", f"{side * side}",
                              million(loads(launch, "requests")), million(counters["shared_passes"]), time(modelled["total_us"])])
    table["note"] = f"The solutions with another kTile, real shape. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
