#!/usr/bin/env python3
"""What the solution of Puzzle 47 says of four programs, beside the modelled time of what Puzzles 41 to 44 made of them by hand.

Chapter 47 shows the table; book/refresh.py stores it in data/tables/. The times of the other puzzles come from the book's records of
them. Needs a built workbook: the program that WORKBOOK names, else bin/workbook.
"""

import json
import re
import subprocess

from experiment import PROGRAM, ROOT, print_table, time

PUZZLE = "47_superoptimizer"
FOLDERS = {"rmsnorm_linear": "41_rmsnorm_linear", "lora_linear": "42_lora_linear", "gated_mlp": "43_gated_mlp",
           "qknorm_attention": "44_qknorm_attention"}


def modelled(folder: str) -> dict[str, float]:
    """Each variant's modelled time at the real shape, by the book's records."""
    times = {}
    for file in sorted((ROOT / "book" / "data" / "runs").glob(f"{folder}_*.json")):
        run = json.loads(file.read_text(encoding="utf-8"))
        for bench in run["benchmarks"]:
            if bench["name"] == "real":
                times[run["variant"]] = sum(launch["modelled"]["total_us"] for launch in bench["launches"])
    return times


def main() -> None:
    done = subprocess.run([PROGRAM, "sim", "--fast", "-I", str(ROOT / "puzzles" / PUZZLE), str(ROOT / "solutions" / PUZZLE / "kernels.cu"),
                           str(ROOT / "puzzles" / PUZZLE / "judge.cu"), "--",
                           "--schedule"], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    rows = []
    for name, folder in FOLDERS.items():
        found = re.search(rf"^{name}: .*\n.*\n *([\d.]+) us in place of ([\d.]+)", done.stdout, re.MULTILINE)
        times = modelled(folder)
        best = min((variant for variant in times if variant != "unfused"), key=times.get)
        rows.append([f"`{name}`", f"{float(found[2]):.1f} µs", f"{float(found[1]):.1f} µs", f"{time(times['unfused'])}",
                     f"{time(times[best])}, Puzzle {folder[:2]} `--{best}`"])
    print_table(["Program", "Price, a launch an operation", "Price, as found", "Modelled, unfused by hand", "Modelled, the best by hand"], rows,
                "Prices: bytes at what an H200 copies, and launches; nothing else is counted. Modelled: the simulator's clock for the H200, at the real shapes.")


if __name__ == "__main__":
    main()
