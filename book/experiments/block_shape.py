#!/usr/bin/env python3
"""What the shape of its blocks costs the solution of Puzzle 07 at the real shape, by the simulator's model.

Chapter 07 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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
PUZZLE = "07_blocks_2d"
THREADS, WARP = 256, 32


def benchmark(program: str, folder: Path, width: int) -> dict:
    """The benchmark of the real shape as recorded, with blocks that are `width` wide."""
    source = (ROOT / "solutions" / PUZZLE / "kernels.cu").read_text(encoding="utf-8")
    changed, found = re.subn(r"block = dim3\(\d+, \d+\);", f"block = dim3({width}, {THREADS // width});", source)
    assert found == 1, "kernels.cu chooses one shape"
    (folder / "puzzles" / PUZZLE / "kernels.cu").write_text(changed, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "run", "7", "--chosen", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    return next(bench for bench in record["benchmarks"] if bench["name"] == "real")


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Block", "Warp", "`a`", "`b`", "`out`", "`b` from L2", "Modelled", "Bound by"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        for width in (256, 128, 64, 32, 16, 8, 4, 2, 1):
            bench = benchmark(program, folder, width)
            (launch,) = bench["launches"]
            modelled = launch["modelled"]
            tensors = {tensor["id"]: tensor["name"] for tensor in bench["tensors"]}
            sites = {tensors[site["tensor"]]: site for site in launch["counters"]["sites"]}
            each = [f"{sites[name]['sectors'] / sites[name]['requests']:.3g}" for name in ("a", "b", "out")]
            missed = (sites["b"]["sectors"] - sites["b"]["l1_sectors"]) / sites["b"]["requests"]
            across = min(width, WARP)
            table["rows"].append([f"{width} × {THREADS // width}", f"{across} × {WARP // across}", *each, f"{missed:.3g}",
                                  f"{modelled['total_us']:.3g} µs", modelled["bound"]])
    table["note"] = ("The solution with another block, real shape. Sectors that a request of a warp touches, and those of <code>b</code> that L1 "
                     f"does not have. Modelled: the simulator's clock for the {modelled['gpu']}.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
