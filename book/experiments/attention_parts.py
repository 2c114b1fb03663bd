#!/usr/bin/env python3
"""Puzzle 44's real shape with the keys of a query cut into more and fewer parts, by the simulator's model: time and bytes.

Chapter 44 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK
names, else bin/workbook.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = "44_qknorm_attention"
SHIPPED, PARTS = 16, (4, 16, 64)


def replaced(path: Path, old: str, new: str) -> str:
    source = (ROOT / path).read_text(encoding="utf-8")
    assert old in source, f"{path} has {old}"
    return source.replace(old, new)


def real_shape(record: str) -> dict:
    (real,) = (bench for bench in json.loads(record)["benchmarks"] if bench["name"] == "real")
    return real


def benchmark(program: str, folder: Path, variant: str, parts: int) -> dict:
    """The real shape as recorded, with `parts` parts in --split. As shipped it is on record: refresh.py has just run it."""
    if parts == SHIPPED:
        return real_shape((ROOT / f"book/data/runs/{PUZZLE}_{variant}.json").read_text(encoding="utf-8"))
    for name, old, new in (("sizes.h", f"kParts = {SHIPPED};", f"kParts = {parts};"), ("puzzle.cpp", f'{{"{SHIPPED}", "N"', f'{{"{parts}", "N"')):
        path = Path("puzzles") / PUZZLE / name
        (folder / path).write_text(replaced(path, old, new), encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "44", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    return real_shape(done.stdout)


def row(parts: int, real: dict) -> list[str]:
    launch = real["launches"][0]
    bytes_moved = sum(each["counters"][f"dram_bytes_{way}"] for each in real["launches"] for way in ("read", "written"))
    blocks = launch["grid"][0] * launch["grid"][1] * launch["grid"][2]
    return [f"{parts}" if parts > 1 else "1 (`--flash`)", f"{blocks}", f"{launch['modelled']['total_us']:.3g} µs",
            f"{real['modelled_total_us']:.3g} µs", f"{bytes_moved / 1e6:.3g} MB"]


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Parts", "Blocks", "First launch", "In all", "DRAM"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        table["rows"].append(row(1, benchmark(program, folder, "flash", SHIPPED)))
        for parts in PARTS:
            real = benchmark(program, folder, "split", parts)
            table["rows"].append(row(parts, real))
        gpu = real["launches"][0]["modelled"]["gpu"]
    table["note"] = f"The solution at the real shape, with other numbers of parts. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
