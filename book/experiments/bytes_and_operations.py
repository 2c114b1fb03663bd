#!/usr/bin/env python3
"""What the time of an elementwise kernel depends on: the solutions of Puzzles 01 and 02 with more bytes, more operations
and larger blocks, at the real shape, by the simulator's model.

Chapter 02 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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


def set_constant(file: Path, name: str, value: int) -> None:
    changed, found = re.subn(rf"({name} = )\d+;", rf"\g<1>{value};", file.read_text(encoding="utf-8"))
    assert found == 1, f"{file.name} sets {name} once"
    file.write_text(changed, encoding="utf-8")


def launch_of(program: str, folder: Path, puzzle: str, variant: str, threads: int, steps: int | None) -> dict:
    """The launch of the real shape as recorded."""
    kernels = folder / "puzzles" / puzzle / "kernels.cu"
    shutil.copy(ROOT / "solutions" / puzzle / "kernels.cu", kernels)
    set_constant(kernels, "kBlockSize", threads)
    if steps:
        set_constant(kernels.with_name("given.h"), "kSteps", steps)
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "run", puzzle[:2], f"--{variant}", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Kernel", "Threads a block", "Bytes an element", "Operations an element", "Operations a byte", "Modelled", "Bound by"],
             "rows": []}
    runs = [("map, Puzzle 01", "01_map", "map", 64, None), ("map, Puzzle 01", "01_map", "map", 256, None), ("zip", "02_zip", "zip", 64, None),
            ("zip", "02_zip", "zip", 256, None)]
    runs += [(f"steps, {steps}", "02_zip", "steps", 256, steps) for steps in (16, 64, 128, 256)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part, folder / part)
        for name, puzzle, variant, threads, steps in runs:
            launch = launch_of(program, folder, puzzle, variant, threads, steps)
            modelled, counters, size = launch["modelled"], launch["counters"], 1 << 24
            moved = counters["dram_bytes_read"] + counters["dram_bytes_written"]
            intensity = counters["flops"] / moved
            table["rows"].append([name, f"{threads}", f"{moved / size:g}", f"{counters['flops'] / size:g}", f"{intensity:.2g}",
                                  f"{modelled['total_us']:.3g} µs", modelled["bound"]])
    turn = intensity * modelled["dram_us"] / modelled["arithmetic_us"]
    table["note"] = (f"The solutions with another kBlockSize and another kSteps, real shape. Modelled: the simulator's clock for the {modelled['gpu']}. "
                     f"There DRAM and arithmetic take equally long at {turn:.2g} operations a byte.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
