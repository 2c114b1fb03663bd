#!/usr/bin/env python3
"""Does the modelled clock put a puzzle's variants in the order that an H200 measured, with factors within 20 %?  For check_puzzle.sh.

    check_ladder.py REPOSITORY NN_name RUNS.json

RUNS.json is what `workbook export` writes of runs of every variant's solution; measured times are
harness/bench/results/h200/variants.tsv. Every two variants of a task at the same sizes are compared: modelled factor over
measured factor is to lie between 1 / 1.2 and 1.2, and where the measured times differ by 5 % the order is to be the same.
ladder_exceptions.json beside this file names the variants for which that does not hold, and why; one that does not need
to be there fails too. Nothing here is timed.
"""
import csv
import json
import pathlib
import sys

repository, name = pathlib.Path(sys.argv[1]), sys.argv[2]
HARNESS = pathlib.Path(__file__).resolve().parents[2]
FACTOR, SAME = 1.2, 1.05


def measured():
    """{(task, sizes): {variant: microseconds}} of the puzzle."""
    declared = json.loads((repository / "puzzles" / name / "declared.json").read_text(encoding="utf-8"))
    task_of = {variant["name"]: variant.get("task", "") for variant in declared["variants"]}
    found = {}
    with open(HARNESS / "bench" / "results" / "h200" / "variants.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["puzzle"] == name and row["launch"] == "*":
                found.setdefault((task_of[row["variant"]], row["sizes"]), {})[row["variant"]] = float(row["cold_us"])
    return found


def modelled(file):
    """{sizes: {variant: microseconds}} of the runs."""
    found = {}
    for run in (entry["run"] for entry in json.loads(pathlib.Path(file).read_text())["runs"]):
        for bench in run["benchmarks"]:
            if run["backend"] == "sim" and bench["name"] == "real" and bench.get("modelled_total_us"):
                sizes = ",".join(f"{key}={size}" for key, size in bench["sizes"].items())
                found.setdefault(sizes, {})[run["variant"]] = bench["modelled_total_us"]
    return found


def disagree(gpu, sim, a, b):
    """What is wrong with the pair; empty when nothing is."""
    theirs, ours = gpu[a] / gpu[b], sim[a] / sim[b]
    if max(theirs, 1 / theirs) > SAME and (theirs > 1) != (ours > 1):
        return f"--{a} against --{b}: x{theirs:.2f} measured, x{ours:.2f} modelled: the other way round"
    if not 1 / FACTOR <= ours / theirs <= FACTOR:
        return f"--{a} against --{b}: x{theirs:.2f} measured, x{ours:.2f} modelled: {100 * (ours / theirs - 1):+.0f} %"
    return ""


def main():
    exceptions = json.loads(pathlib.Path(__file__).with_name("ladder_exceptions.json").read_text()).get(name, {})
    ours, needed, faults, pairs = modelled(sys.argv[3]), set(), [], 0
    for (_, sizes), gpu in measured().items():
        sim = ours.get(sizes, {})
        known = [variant for variant in gpu if variant in sim]
        regular = [variant for variant in known if variant not in exceptions]
        for i, a in enumerate(regular):
            for b in regular[:i]:
                pairs += 1
                if fault := disagree(gpu, sim, a, b):
                    faults.append(fault)
        for a in known:
            if a in exceptions and any(disagree(gpu, sim, a, b) for b in regular):
                needed.add(a)
    for fault in faults:
        print(f"FAILED: {fault}")
    for variant in sorted(exceptions):
        if variant not in needed:
            print(f"FAILED: --{variant} agrees with an H200: its exception can go")
        else:
            print(f"excepted: --{variant}: {exceptions[variant]}")
    print(f"{pairs} pairs of variants compared with an H200, {len(faults)} disagree")
    return 1 if faults or set(exceptions) - needed else 0


if __name__ == "__main__":
    sys.exit(main())
