#!/usr/bin/env python3
"""What `workbook optimize` costs: every program from nothing to the plan, to the checked kernels, and from the cache.

    harness/bench/optimize.py [--workbook PROGRAM] [--out FILE] [NAME ...]

Wall-clock seconds of the whole command, each with a state folder of its own. Ends with 1 where another number of
threads, or a search that was interrupted and goes on, gives another answer.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Optimizer:
    def __init__(self, program: str):
        self.program = program

    def run(self, state: str, name: str, *words: str, seconds: float | None = None) -> tuple[float, dict | None]:
        """How long it took, and its JSON; ended after `seconds` where they are given."""
        environment = dict(os.environ, WORKBOOK_ROOT=str(ROOT), WORKBOOK_STATE=state, NO_COLOR="1")
        began = time.monotonic()
        child = subprocess.Popen([self.program, "optimize", name, "--json", *words], env=environment, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.terminate()
            child.communicate()
            return time.monotonic() - began, None
        if child.returncode != 0:
            sys.exit(f"optimize {name} ended with {child.returncode}: {err or out}")
        return time.monotonic() - began, json.loads(out)


def answer(result: dict) -> str:
    """All but what a run took."""
    def without(node):
        if isinstance(node, dict):
            return {k: without(v) for k, v in node.items() if k not in ("cpu_s", "resumed")}
        return [without(v) for v in node] if isinstance(node, list) else node
    return json.dumps(without(result), sort_keys=True)


def measure(optimizer: Optimizer, name: str) -> dict:
    folder = tempfile.mkdtemp(prefix="optimize-bench.")
    states = iter(f"{folder}/{i}" for i in range(99))
    try:
        state = next(states)
        to_plan, result = optimizer.run(state, name, "--emit-only")
        from_cache, again = optimizer.run(state, name, "--emit-only")
        to_kernel, built = optimizer.run(next(states), name)
        same = {answer(result), answer(again)}
        for threads in ("1", "2", "8"):
            same.add(answer(optimizer.run(next(states), name, "--emit-only", "--threads", threads)[1]))
        state = next(states)
        for part in (0.1, 0.3, 0.6):  # interrupted thrice, then to its end
            optimizer.run(state, name, "--emit-only", seconds=max(0.05, part * to_plan))
        same.add(answer(optimizer.run(state, name, "--emit-only")[1]))
        return {"name": name, "plan": to_plan, "cache": from_cache, "kernel": to_kernel, "same": len(same) == 1, "result": built}
    finally:
        shutil.rmtree(folder)


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--workbook", default=str(ROOT / "bin/workbook"))
    options.add_argument("--out", type=pathlib.Path)
    options.add_argument("names", nargs="*")
    asked = options.parse_args()
    optimizer = Optimizer(asked.workbook)
    names = asked.names or sorted(p.stem for p in (ROOT / "harness/optimizer/programs").glob("*.wbp"))
    lines = [f"What `workbook optimize` costs, seconds of the whole command on {os.cpu_count()} cores of {processor()}.",
             "*same*: 1, 2 and 8 threads, the cache, and a search interrupted thrice give one answer.", "",
             "| program | operations | states | tried | equal graphs | to the plan | to the checked kernels | from the cache | same |",
             "|:--|--:|--:|--:|--:|--:|--:|--:|:--|"]
    good = True
    for name in names:
        row = measure(optimizer, name)
        good &= row["same"]
        algebra = row["result"]["algebra"]
        lines.append(f"| {name} | {row['result']['nodes']} | {algebra['states']} | {algebra['tried']} "
                     f"| {len(row['result']['graphs'])} | {row['plan']:.2f} | {row['kernel']:.2f} | {row['cache']:.2f} | {'yes' if row['same'] else 'NO'} |")
        print(lines[-1], flush=True)
    if asked.out:
        asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
