#!/usr/bin/env python3
"""How far the modelled clock is off what an H200 measured: every kernel and every variant of a puzzle that has a figure.

    model_error.py [--runs RUNS.json] [--sim counters_sim.json] [--rows] [--model PROGRAM]

Measured: harness/bench/results/h200/variants.tsv (puzzles, medians with cold caches; launch `*` is the variant as a
whole, else `N kernel` its launch number N) and counters_gpu.json (harness/bench/gpu/kernels). Counted: RUNS.json of
`workbook export` (the solutions on the simulator; absent: book/data/runs), and counters_sim.json of `counters.py sim`. The
clock itself is asked anew (ninja -C build/workbook workbook-sim-model), so that a change of its constants shows at once.

Prints for puzzles and for kernels: median and worst |modelled / measured - 1|, and per puzzle Kendall's tau between
modelled and measured order of its variants; with --rows every row. Exits 1 when nothing could be compared.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
H200 = ROOT / "harness" / "bench" / "results" / "h200"
SAME = 0.05  # measured times that are no further apart have no order


def measured_variants():
    """(puzzle, variant, sizes): {launch: microseconds}."""
    found = {}
    with open(H200 / "variants.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found.setdefault((row["puzzle"], row["variant"], row["sizes"]), {})[row["launch"]] = float(row["cold_us"])
    return found


def records(runs_file):
    if runs_file:
        return [entry["run"] for entry in json.loads(pathlib.Path(runs_file).read_text())["runs"]]
    return [json.loads(file.read_text()) for file in sorted((ROOT / "book" / "data" / "runs").glob("*.json"))]


def modelled(program, cases):
    answer = subprocess.run([program], input=json.dumps(cases), stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return json.loads(answer.stdout)


def puzzle_rows(program, runs_file):
    """[(group, name, measured, modelled, bound)] of the variants and their launches."""
    measured, benches = measured_variants(), {}
    for run in records(runs_file):
        if run["backend"] != "sim" or run["verdict"] != "correct":
            continue
        for bench in run["benchmarks"]:
            sizes = ",".join(f"{name}={size}" for name, size in bench["sizes"].items())
            key = (run["puzzle_name"], run["variant"], sizes)
            if key in measured and all(l.get("counters") or l["kernel"] in ("set", "copy") for l in bench["launches"]):
                benches[key] = bench
    kernels = {key: [l for l in bench["launches"] if l.get("counters")] for key, bench in benches.items()}
    rows = []
    for (key, bench), times in zip(benches.items(), modelled(program, list(kernels.values()))):
        moves = sum(l["modelled"]["total_us"] for l in bench["launches"] if not l.get("counters"))
        whole = moves + sum(t["in_sequence"]["total_us"] for t in times)
        longest = max(times, key=lambda t: t["in_sequence"]["total_us"])
        group, variant, sizes = key
        rows.append((f"{group} {sizes}", variant, measured[key]["*"], whole, longest["in_sequence"]["bound"], True))
        for launch, us in measured[key].items():
            if launch != "*":
                number, name = launch.split()
                place = int(number) - sum(not l.get("counters") for l in bench["launches"][:int(number)])
                rows.append((f"{group} {sizes}", f"{variant}: {name}", us, times[place]["alone"]["total_us"], times[place]["alone"]["bound"],
                             False))
    return rows


def kernel_rows(program, sim_file):
    gpu, sim = json.loads((H200 / "counters_gpu.json").read_text()), json.loads(pathlib.Path(sim_file).read_text())
    rows = []
    for theirs in gpu["runs"]:
        ours = next((run for run in sim["runs"] if run["sizes"] == theirs["sizes"]), None)
        if ours is None:
            continue
        cases = {}
        for launch in ours["launches"]:
            cases.setdefault(launch["case"], []).append(launch)
        known = {}
        for (case, launches), times in zip(cases.items(), modelled(program, [[l["record"] for l in c] for c in cases.values()])):
            known[case, "*"] = (sum(t["in_sequence"]["total_us"] for t in times), times[0]["alone"]["bound"])
            for launch, time in zip(launches, times):
                known[case, launch["kernel"]] = (time["alone"]["total_us"], time["alone"]["bound"])
        for time in theirs["times"]:
            if (time["case"], time["kernel"]) in known:
                us, bound = known[time["case"], time["kernel"]]
                name = time["case"] + ("" if time["kernel"] == "*" else ": " + time["kernel"])
                rows.append((f"kernels {theirs['sizes']['elements']}", name, time["cold_us"][0], us, bound, time["kernel"] == "*"))
    return rows


def tau(pairs):
    """Kendall's tau of measured and modelled, over pairs that differ by SAME at least; None where there are none."""
    order = [(a[0] - b[0]) * (a[1] - b[1]) for i, a in enumerate(pairs) for b in pairs[:i] if max(a[0] / b[0], b[0] / a[0]) > 1 + SAME]
    return sum((x > 0) - (x < 0) for x in order) / len(order) if order else None


def summary(name, rows):
    off = sorted(abs(r[3] / r[2] - 1) for r in rows)
    worst = max(rows, key=lambda r: abs(math.log(r[3] / r[2])))
    print(f"{name}: {len(rows)} rows, median error {100 * statistics.median(off):.1f} %, 90th percentile {100 * off[int(0.9 * len(off))]:.0f} %, "
          f"beyond 20 %: {sum(o > 0.2 for o in off)}")
    print(f"  worst: {worst[0]} {worst[1]}: {worst[2]:.2f} us measured, {worst[3]:.2f} modelled ({worst[3] / worst[2]:.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs")
    parser.add_argument("--sim", default=str(H200 / "counters_sim.json"))
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--model", default=str(ROOT / "build" / "workbook" / "harness" / "clock" / "workbook-sim-model"))
    options = parser.parse_args()
    puzzles, kernels = puzzle_rows(options.model, options.runs), kernel_rows(options.model, options.sim)
    if not puzzles or not kernels:
        print("model_error.py: nothing to compare", file=sys.stderr)
        return 1
    group = None
    for row in puzzles + kernels if options.rows else []:
        if row[0] != group:
            group = row[0]
            print(f"\n{group}")
        print(f"  {row[1][:48]:48} {row[2]:10.2f} {row[3]:10.2f}  {row[3] / row[2]:5.2f}  {row[4]}")
    if options.rows:
        print()
    summary("puzzles", puzzles)
    summary("kernels", kernels)
    taus = {}
    for name in dict.fromkeys(row[0] for row in puzzles):
        value = tau([(row[2], row[3]) for row in puzzles if row[0] == name and row[5]])
        if value is not None:
            taus[name] = value
    print(f"Kendall's tau within a puzzle: mean {statistics.mean(taus.values()):.2f}; below 1: "
          + (", ".join(f"{name} {value:.2f}" for name, value in taus.items() if value < 1) or "none"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
