#!/usr/bin/env python3
"""vector_kernel of Puzzle 39 in half with 1, 2, 4 and 8 elements to a load, the same elements a thread, by the
simulator's model.

Chapter 39 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK
names, else bin/workbook.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = "39_layernorm_residual"
EACH = 8  # elements of a thread
SCALAR = "launch_vector<half, 1, 8>(run);"


def real_shape(program: str, folder: Path, width: int) -> tuple[dict, str]:
    """The launch at the real shape with `width` halfs to a load, and the GPU's name."""
    source = (ROOT / "puzzles" / PUZZLE / "launches.cu").read_text(encoding="utf-8")
    before, found, after = source.rpartition(SCALAR)
    assert found, "launches.cu launches scalar-f16 so"
    # The ragged cases keep vectors of one element.
    changed = f"run.dim(\"H\") % {width} == 0 ? launch_vector<half, {width}, {EACH // width}>(run) : launch_vector<half, 1, 8>(run);"
    (folder / "puzzles" / PUZZLE / "launches.cu").write_text(before + changed + after, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "solution", "39", "--scalar-f16", "--backend", "sim", "--json"], check=True, text=True, cwd=folder,
                          env=environment, stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch, launch["modelled"]["gpu"]


def requests(launch: dict, kind: str) -> int:
    return sum(site["requests"] for site in launch["counters"]["sites"] if site["kind"].startswith(kind))


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Halfs to a load", "Bytes to a load", "Load requests", "Store requests", "Time", "Bound by"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)
        for width in (1, 2, 4, 8):
            launch, gpu = real_shape(program, folder, width)
            table["rows"].append([f"{width}", f"{2 * width}", f"{requests(launch, 'global load')}", f"{requests(launch, 'global store')}",
                                  f"{launch['modelled']['total_us']:.3g} µs", launch["modelled"]["bound"]])
    table["note"] = (f"The solution in half at the real shape, {EACH} elements of each tensor a thread in all rows of this table. A request is one instruction of a "
                     f"warp. Modelled: the simulator's clock for the {gpu}.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
