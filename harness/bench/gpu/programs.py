#!/usr/bin/env python3
"""Runs the ordinary programs of harness/tests/programs unmodified on a GPU and on the simulator and compares what
they print.

    programs.py sim --workbook PROGRAM --out FILE.json      anywhere; two minutes on two cores
    programs.py gpu --out FILE.json [--limit SECONDS]       where there is an NVIDIA GPU and nvcc
    programs.py table SIM.json GPU.json                     Markdown

Numbers count as equal within a hundredth, or where both are below 1e-3 (errors); lines with a time or a speed, and
what device_query says of its device, are not compared. `table` exits 1 when something else differs.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "harness/tests/programs"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NOT_COMPARED = re.compile(r"\b(ms|us|GB/s|GFLOP/s)\b")
OF_THE_DEVICE = {"device_query"}


def outcome(command, limit, **more):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=max(1, limit), check=False, **more)
    except subprocess.TimeoutExpired:
        return {"status": "no end", "output": ""}
    return {"status": done.returncode, "output": done.stdout.decode("latin-1")}


def on_simulator(source, workbook):
    return outcome([workbook, "sim", "--timeout", "60", source], 90)


def on_gpu(source, folder, until):
    program = pathlib.Path(folder) / source.stem
    built = subprocess.run(["nvcc", "-std=c++20", "-O2", "-arch=native", "-w", "-o", program, source, "-lcublas",
                            "-lcublasLt", "-lcurand"], capture_output=True, text=True, check=False,
                           timeout=max(1, until - time.monotonic()))
    if built.returncode != 0:
        return {"status": "does not compile", "output": built.stdout + built.stderr}
    return outcome([program], min(30, until - time.monotonic()))


def record(arguments):
    sources = sorted(PROGRAMS.glob("*.cu"))
    until = time.monotonic() + arguments.limit
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.verb == "sim":
            outcomes = list(pool.map(lambda s: on_simulator(s, arguments.workbook), sources))
        else:
            outcomes = list(pool.map(lambda s: on_gpu(s, folder, until), sources))
    result = {source.stem: each for source, each in zip(sources, outcomes)}
    pathlib.Path(arguments.out).write_text(json.dumps(result, indent=1) + "\n")
    bad = [name for name, each in result.items() if each["status"] != 0]
    print(f"{len(result) - len(bad)} of {len(result)} programs end with status 0" + (f"; not: {', '.join(bad)}" if bad else ""))
    return 1 if bad else 0


def close(a, b):
    x, y = float(a), float(b)
    return abs(x - y) <= 0.01 * max(abs(x), abs(y)) or max(abs(x), abs(y)) < 1e-3


def difference(ours, theirs):
    """Words on what differs; empty: nothing that counts."""
    if ours["output"] == theirs["output"]:
        return ""
    a, b = ours["output"].splitlines(), theirs["output"].splitlines()
    if len(a) != len(b):
        return f"{len(a)} lines against {len(b)}"
    different = 0
    for x, y in zip(a, b):
        if x == y or (NOT_COMPARED.search(x) and NOT_COMPARED.search(y)):
            continue
        same_words = NUMBER.sub("#", x) == NUMBER.sub("#", y)
        different += not (same_words and all(map(close, NUMBER.findall(x), NUMBER.findall(y))))
    return f"{different} of {len(a)} lines differ" if different else "the same but for last digits or times"


def table(arguments):
    ours, theirs = (json.loads(pathlib.Path(file).read_text()) for file in (arguments.sim, arguments.gpu))
    bad = 0
    print("| program | simulator ends with | GPU ends with | output |\n|---|---|---|---|")
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in ours or name not in theirs:
            words, mine, other = "only one of the two ran it", ours.get(name), theirs.get(name)
            mine, other = (each["status"] if each else "" for each in (mine, other))
        else:
            mine, other = ours[name]["status"], theirs[name]["status"]
            words = difference(ours[name], theirs[name])
        harmless = words in ("", "the same but for last digits or times") or name in OF_THE_DEVICE
        bad += not harmless or mine != other
        if name in OF_THE_DEVICE and words:
            words = "facts of the device"
        print(f"| {name} | {mine} | {other} | {words or 'the same'} |")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, jobs in (("sim", 2), ("gpu", 16)):
        own = verbs.add_parser(verb)
        own.add_argument("--out", required=True)
        own.add_argument("--limit", type=float, default=600 if verb == "sim" else 150)
        own.add_argument("--jobs", type=int, default=jobs)
        if verb == "sim":
            own.add_argument("--workbook", required=True)
    own = verbs.add_parser("table")
    own.add_argument("sim")
    own.add_argument("gpu")
    arguments = parser.parse_args()
    return table(arguments) if arguments.verb == "table" else record(arguments)


if __name__ == "__main__":
    sys.exit(main())
