#!/usr/bin/env python3
"""The variants of Puzzle 40, each fusion alone and all together: launches, bytes and modelled time of a token of the little model.

Chapter 40 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK names, else
bin/workbook.
"""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
PUZZLE = "40_decode"
FEWER, MORE = 24, 40  # what lies between is what so many tokens more have cost


def totals(way: str, tokens: int) -> dict:
    done = subprocess.run([PROGRAM, "sim", "--json", "-I", str(ROOT / "puzzles" / PUZZLE), str(ROOT / "solutions" / PUZZLE / "kernels.cu"),
                           str(ROOT / "puzzles" / PUZZLE / "program.cu"), "--",
                           f"--{way}", "--tokens", str(tokens), "--weights", str(ROOT / "puzzles" / PUZZLE / "model.safetensors")],
                          check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    kernels = json.loads(done.stdout.rstrip("\n").split("\n")[-1])["totals"]["kernels"]
    count = lambda of: sum(of(kernel) for kernel in kernels)  # noqa: E731
    return {"launches": count(lambda k: k["launches"]),
            "asked": count(lambda k: k["counters"]["l2_sectors"]) * 32,
            "us": count(lambda k: k["modelled_us"])}


def main() -> None:
    declared = json.loads((ROOT / "puzzles" / PUZZLE / "declared.json").read_text(encoding="utf-8"))
    rows = []
    for variant in declared["variants"]:
        name = variant["name"]
        more, fewer = totals(name, MORE), totals(name, FEWER)
        token = {key: (more[key] - fewer[key]) / (MORE - FEWER) for key in more}
        rows.append([f"`--{name}`", f"{token['launches']:.0f}", "1" if name == "graph" else f"{token['launches']:.0f}", f"{token['asked'] / 1e3:.0f} kB",
                     f"{token['us']:.1f} µs"])
    note = (f"The solution and the little model, tokens {FEWER} to {MORE - 1}. Kernels, requests and modelled time on the simulator, for an H200. The model knows no "
            "host: a launch costs it what it costs in a graph.")
    print(json.dumps({"head": ["Variant", "Kernels a token", "Launches by the host", "Requested from L2", "Modelled, all kernels of a token"], "rows": rows,
                      "note": note}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
