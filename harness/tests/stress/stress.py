#!/usr/bin/env python3
"""Runs the solutions again and again while other loops of runs share the machine, for no verdict may depend on how
fast or busy that is. Not part of the tests: it takes minutes, or hours.

    stress.py WORKBOOK [--runs 60] [--beside 2] [--ways plain,nice,taskset,slow] [--timeout S]

The ways: plain; under nice 19; on one processor; with the simulator four times as slow (WORKBOOK_SIM_SLOW). Exits 1
when a run is not CORRECT; with --timeout S, when one is neither CORRECT nor TIMED OUT, which a time limit may cause.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
WAYS = {"plain": ([], {}), "nice": (["nice", "-n", "19"], {}), "taskset": (["taskset", "1"], {}),
        "slow": ([], {"WORKBOOK_SIM_SLOW": "4"})}


def solve(options, state, variant, way):
    prefix, extra = WAYS[way]
    command = [*prefix, options.workbook, "solution", *variant]
    if options.timeout:
        command += ["--timeout", str(options.timeout)]
    environment = {**os.environ, **extra, "WORKBOOK_ROOT": str(ROOT), "WORKBOOK_STATE": str(state), "NO_COLOR": "1"}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")
    text = done.stdout + done.stderr
    verdict = next((v for v in ("CRASHED", "TIMED OUT", "HARNESS ERROR", "WRONG", "CORRECT") if v in text), "nothing")
    return verdict, text


def variants(options):
    """The arguments that name each variant there is."""
    listed = subprocess.run([options.workbook, "list", "--json"], check=True, capture_output=True, text=True,
                            env={**os.environ, "WORKBOOK_ROOT": str(ROOT)}).stdout
    puzzles = json.loads(listed)
    return [(str(p["number"]), "--" + v["name"]) for p in puzzles for v in p["variants"]]


def beside(options, all_variants, state, stop):
    turn = 0
    while not stop.is_set():
        solve(options, state, all_variants[turn % len(all_variants)], "plain")
        turn += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workbook")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--beside", type=int, default=2)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--timeout", type=float)
    options = parser.parse_args()
    allowed = {"CORRECT", "TIMED OUT"} if options.timeout else {"CORRECT"}
    all_variants = variants(options)
    folder = pathlib.Path(tempfile.mkdtemp())
    stop = threading.Event()
    others = [threading.Thread(target=beside, args=(options, all_variants, folder / f"beside{i}", stop))
              for i in range(options.beside)]
    for other in others:
        other.start()
    bad = 0
    try:
        for way in options.ways.split(","):
            count = collections.Counter()
            for run in range(options.runs):
                variant = all_variants[run % len(all_variants)]
                verdict, text = solve(options, folder / "state", variant, way)
                count[verdict] += 1
                if verdict not in allowed:
                    bad += 1
                    print(f"{way}, solution {' '.join(variant)}, run {run}: {verdict}\n{text}", flush=True)
            print(f"{way}: " + ", ".join(f"{n} {verdict}" for verdict, n in count.most_common()), flush=True)
    finally:
        stop.set()
        for other in others:
            other.join()
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
