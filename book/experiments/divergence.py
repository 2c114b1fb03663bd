#!/usr/bin/env python3
"""What branches cost near_kernel of Puzzle 03: the same result with branches in different places, at the real shape.

Chapter 03 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
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
PUZZLE = "03_guards"
INDEX = "const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= size) return;\n"
BODIES = {
    "a guard for each access": None,  # the solution
    "first, last, all between": INDEX + """
  if (size == 1) near[i] = a[i];
  else if (i == 0) near[i] = a[i + 1];
  else if (i == size - 1) near[i] = a[i] - a[i - 1];
  else near[i] = a[i + 1] - a[i - 1];
""",
    "the index clamped, no branch": INDEX + """
  const float left = a[max(i - 1, 0)] * min(i, 1);
  near[i] = a[min(i + 1, size - 1)] - left;
""",
    "even and odd elements apart": INDEX + """
  if (i % 2 == 0) {
    const float left = i > 0 ? a[i - 1] : 0.0f;
    near[i] = a[min(i + 1, size - 1)] - left;
  } else {
    const float right = i + 1 < size ? a[i + 1] : a[size - 1];
    near[i] = -(a[i - 1] - right);
  }
""",
}


def launch_of(program: str, folder: Path, body: str | None) -> dict:
    """The launch of the real shape as recorded, with the region `near` as in `body`."""
    source = (ROOT / "solutions" / PUZZLE / "kernels.cu").read_text(encoding="utf-8")
    if body:
        source, found = re.subn(r"(// FILL ME IN: near [^\n]*\n).*?(\n *// END: near)", lambda m: m[1] + body + m[2], source, flags=re.S)
        assert found == 1, "kernels.cu has one region near"
    (folder / "puzzles" / PUZZLE / "kernels.cu").write_text(source, encoding="utf-8")
    environment = dict(os.environ, WORKBOOK_ROOT=str(folder), WORKBOOK_STATE=str(folder / "state"))
    done = subprocess.run([program, "run", "3", "--near", "--backend", "sim", "--json"], check=True, text=True, cwd=folder, env=environment,
                          stdout=subprocess.PIPE)
    record = json.loads(done.stdout)
    record = record[0] if isinstance(record, list) else record.get("run", record)
    (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
    (launch,) = real["launches"]
    return launch


def main() -> None:
    program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
    table = {"head": ["Branches of near_kernel", "Loads a warp", "Stores a warp", "Modelled"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part, folder / part)
        for name, body in BODIES.items():
            launch = launch_of(program, folder, body)
            warps = launch["grid"][0] * launch["block"][0] / 32
            requests = {kind: sum(site["requests"] for site in launch["counters"]["sites"] if site["kind"] == kind) / warps
                        for kind in ("global load", "global store")}
            table["rows"].append([name, f"{requests['global load']:.3g}", f"{requests['global store']:.3g}", f"{launch['modelled']['total_us']:.3g} µs"])
            gpu = launch["modelled"]["gpu"]
    table["note"] = (f"All four store the same. Loads and stores are instructions, counted over all warps of the real shape; "
                     f"modelled: the simulator's clock for the {gpu}.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
