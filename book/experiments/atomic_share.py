#!/usr/bin/env python3
"""What the atomic additions of Puzzle 10's meter cost, by how many samples are too loud, by the simulator's model.

Chapter 10 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK names, else
bin/workbook.
"""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
BLOCKS, SAMPLES_A_BLOCK = 128, 128 * 16


def changed(source: str, constant: str, value: int) -> str:
    text, found = re.subn(rf"\b({constant} = )[\d']+", rf"\g<1>{value}", source)
    assert found == 1, f"meter.cu sets {constant} once"
    return text


def totals(file: Path) -> dict:
    done = subprocess.run([PROGRAM, "sim", "--json", str(file)], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout.rstrip("\n").split("\n")[-1])["totals"]


def counted(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1g}"


def main() -> None:
    source = changed((ROOT / "solutions" / "10_sanitizers" / "meter.cu").read_text(encoding="utf-8"), "kBlocks", BLOCKS)
    table = {"head": ["Samples that are too loud", "Atomic additions a block", "Modelled"], "rows": []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "meter.cu")
        for loudest in (30_000, 9_900, 9_000, 5_000, 0):
            file.write_text(changed(source, "kLoudest", loudest), encoding="utf-8")
            total = totals(file)
            share = total["atomics"] / (BLOCKS * SAMPLES_A_BLOCK)
            table["rows"].append([f"{100 * share:.2g} %" if share < 0.995 else "all", counted(total['atomics'] / BLOCKS), f"{total['modelled_us']:.3g} µs"])
    table["note"] = f"The repaired program with {BLOCKS} blocks and another kLoudest. Modelled: the simulator's clock for the {total['gpu']}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
