#!/usr/bin/env python3
"""Puzzles 41 to 45 measured on an H200 beside PyTorch and beside what the workbook's own search found: from
harness/bench/results/h200/fusion_programs.txt, which is what harness/gpu/check.sh --fusion printed.

Chapters 41 and 47 show the table; book/refresh.py stores it in data/tables/.
"""

import json
import re

from experiment import ROOT

MEASURED = ROOT / "harness/bench/results/h200/fusion_programs.txt"


def workloads(text: str) -> list[tuple[str, dict[str, float]]]:
    """Name of each workload and the median microseconds with cold caches of each candidate."""
    found = []
    for part in re.split(r"\n\n", text):
        title = re.match(r"(.+): floor ([\d.]+) us", part)
        if title:
            times = re.findall(r"^  (.+?) +cold +([\d.]+) ", part, re.M)
            found.append((title[1], {"floor": float(title[2]), **{name: float(us) for name, us in times}}))
    return found


def time(us: float) -> str:
    return f"{us:.3g} µs" if us < 1000 else f"{us:.0f} µs"


def main() -> None:
    text = MEASURED.read_text(encoding="utf-8")
    assert "WRONG" not in text, "a candidate computed something else"
    rows = []
    for title, times in workloads(text):
        rungs = {name: us for name, us in times.items() if name.startswith("--")}
        best = min(rungs, key=rungs.get)
        eager = min(us for name, us in times.items() if name.endswith(", eager"))
        compiled = min(us for name, us in times.items() if name.endswith(", compile"))
        found = times.get("found by search")
        rows.append([title.replace(" f16", ""), f"{time(rungs[best])}, `{best}`", time(found) if found else "–", time(eager), time(compiled), time(times["floor"])])
    machine = re.search(r"(PyTorch \S+) on (.+?);", text)
    note = (f"Measured, {machine[2]}, {machine[1]}, what stands in a row in one run: medians in a CUDA graph, caches cold, f16 with sums in float. PyTorch: the faster of two ways to "
            "write it. The floor: every input and the result moved once.")
    print(json.dumps({"head": ["Program", "Best rung", "Found by `workbook optimize`", "PyTorch, eager", "compiled", "Floor"], "rows": rows, "left": [0], "note": note},
                     indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
