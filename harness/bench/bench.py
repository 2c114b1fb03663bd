#!/usr/bin/env python3
"""Times the simulator beside its peers on this machine: harness/bench/results/simulator.md is what it prints.

    bench.py [--rounds N] [--out results.md] [--workbook PROGRAM]

Everything runs side by side in one go, round after round, so that a busy machine slows all alike: ratios say more
than times. Peers come from Debian; one that is not installed has a line that says so. Exits 1 when a program failed
or a goal was missed.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT_S = 240  # one program's run

# Shape at full size, and the one that Oclgrind gets: it takes seconds where we take milliseconds.
WORKLOADS = {"matmul_tiled": (256, 128), "matmul_naive": (256, 128), "saxpy": (1 << 20, 1 << 18), "reduce": (1 << 20, 1 << 17)}
LARGE = ("matmul_tiled", 512)
LARGE_LIMIT_MB = 256.0

# HIP-CPU is in neither Debian nor PyPI, so its times are recorded ones, taken on a
# machine of two cores while nothing else ran.
HIP_CPU_MS = {"matmul_tiled": 22.0, "matmul_naive": 14.0, "saxpy": 2.4, "reduce": 83.0}
HIP_CPU_GOAL = {"matmul_tiled": 1.2, "saxpy": 2.0, "reduce": 2.0}
OCLGRIND_GOAL = 50.0
VERDICT_GOAL_S = 2.0


class Engine:
    """One way to run a workload: a command that WORKLOAD, SIZE and REPEATS are appended to."""

    def __init__(self, name, command, repeats, environment=None, missing=""):
        self.name, self.command, self.repeats, self.missing = name, command, repeats, missing
        self.environment = dict(os.environ, **(environment or {}))
        self.failures = []

    def run(self, workload, size, repeats=None):
        """(best_ms, median_ms, peak_mb), or None; then failures says why."""
        if self.missing:
            return None
        words = [*self.command, workload, str(size), str(repeats or self.repeats)]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S,
                                  env=self.environment)
        except subprocess.TimeoutExpired:
            self.failures.append(f"{workload} {size}: not done after {LIMIT_S} s")
            return None
        found = re.search(rf"^{workload} {size} ([0-9.]+) ([0-9.]+) ([0-9.]+) ok$", done.stdout, re.MULTILINE)
        if done.returncode != 0 or found is None:
            self.failures.append(f"{workload} {size}: exit status {done.returncode}: {(done.stdout + done.stderr).strip()[-300:]}")
            return None
        return tuple(float(x) for x in found.groups())


def build_opencl(folder):
    """The OpenCL program, or why there is none."""
    program = str(folder / "speed_opencl")
    built = subprocess.run(["g++", "-std=c++20", "-O2", str(HERE / "speed_opencl.cpp"), "-o", program, "-lOpenCL"],
                           capture_output=True, text=True)
    if built.returncode != 0:
        return program, "needs opencl-headers and ocl-icd-opencl-dev"
    return program, ""


def pocl_icd():
    return next((str(file) for file in pathlib.Path("/etc/OpenCL/vendors").glob("pocl*.icd")), "")


def engines(workbook, folder):
    opencl, missing = build_opencl(folder)
    oclgrind = shutil.which("oclgrind")
    grind_missing = missing or ("" if oclgrind else "not installed: package oclgrind")
    # Its own default is to optimise nothing, which is three times slower still.
    grind = [oclgrind, "--build-options", "-O3"]
    source = str(HERE / "speed.cu")
    return {
        "fast": Engine("simulator, fast", [workbook, "sim", source, "--fast", "--"], 7),
        "diagnosing": Engine("simulator, diagnosing", [workbook, "sim", source, "--"], 3),
        "pocl": Engine("PoCL", [opencl], 7, {"OCL_ICD_VENDORS": pocl_icd()},
                       missing or ("" if pocl_icd() else "not installed: package pocl-opencl-icd")),
        "oclgrind": Engine("Oclgrind", [*grind, opencl], 1, missing=grind_missing),
        "races": Engine("Oclgrind --data-races", [*grind, "--data-races", opencl], 1, missing=grind_missing),
    }


def measure(all_engines, rounds):
    """Samples by (engine, workload, size): tuples of best, median and peak."""
    samples = {}
    for number in range(rounds):
        for workload, (size, small) in WORKLOADS.items():
            for key, engine in all_engines.items():
                slow = key in ("oclgrind", "races")
                if slow and number >= 3:  # three rounds of those are a minute
                    continue
                for shape in {small} if slow else {size, small} if key == "diagnosing" else {size}:
                    sample = engine.run(workload, shape)
                    if sample:
                        samples.setdefault((key, workload, shape), []).append(sample)
        for key in ("fast", "diagnosing"):
            sample = all_engines[key].run(*LARGE, repeats=1)
            if sample:
                samples.setdefault((key, *LARGE), []).append(sample)
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return samples


def verdict_seconds(workbook, rounds, folder):
    """Seconds from a saved kernels.cu of Puzzle 22 to its verdict, the precompiled header being there."""
    source = (ROOT / "solutions" / "22_layernorm_linear" / "kernels.cu").read_text()
    kernels = folder / "kernels.cu"
    environment = dict(os.environ, WORKBOOK_STATE=str(folder / "state"), NO_COLOR="1")
    seconds = []
    for number in range(-1, rounds):
        kernels.write_text(f"{source}\n// saved {number}\n")
        begin = time.monotonic()
        run = subprocess.run([workbook, "run", "22", "--unfused", "--backend", "sim", "--kernels", str(kernels)],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
        if run.returncode != 0:
            return [], (run.stdout + run.stderr).strip()[-300:]
        if number >= 0:
            seconds.append(time.monotonic() - begin)
    return seconds, ""


class Report:
    """The table and what of it is a goal."""

    def __init__(self, samples):
        self.samples = samples
        self.lines, self.missed = [], []

    def best(self, key, workload, size):
        found = self.samples.get((key, workload, size))
        return min(s[0] for s in found) if found else None

    def median(self, key, workload, size):
        found = self.samples.get((key, workload, size))
        return statistics.median(s[1] for s in found) if found else None

    def both(self, key, workload, size):
        best, median = self.best(key, workload, size), self.median(key, workload, size)
        return "-" if best is None else f"{best:.2f} / {median:.2f}"

    def goal(self, text, met):
        self.lines.append(f"- {'met' if met else 'MISSED'}: {text}")
        if not met:
            self.missed.append(text)

    def table(self, header, rows):
        self.lines += ["", "| " + " | ".join(header) + " |", "|" + "|".join([":--"] + ["--:"] * (len(header) - 1)) + "|"]
        self.lines += ["| " + " | ".join(row) + " |" for row in rows] + [""]


def shape_text(workload, size):
    return f"{workload} {size}" + (" cubed" if workload.startswith("matmul") else "")


def ratio_text(value, of):
    return "-" if value is None or not of else f"x{value / of:.2f}"


def write_speed(report):
    report.lines += ["## Without diagnostics", "",
                     "Milliseconds, best / median. HIP-CPU's are recorded figures of another day (it is in neither Debian nor "
                     "PyPI) and were not run here; PoCL merges the threads of a block into loops and vectorises them, and sees "
                     "nothing."]
    rows = []
    for workload, (size, _) in WORKLOADS.items():
        fast = report.best("fast", workload, size)
        rows.append([shape_text(workload, size), report.both("fast", workload, size), report.both("pocl", workload, size),
                     f"{HIP_CPU_MS[workload]:.1f} (recorded)", ratio_text(fast, HIP_CPU_MS[workload])])
    report.table(["workload", "simulator, fast", "PoCL", "HIP-CPU", "best to HIP-CPU's"], rows)
    for workload, goal in HIP_CPU_GOAL.items():
        fast = report.best("fast", workload, WORKLOADS[workload][0])
        if fast is not None:
            report.goal(f"{workload} takes {fast / HIP_CPU_MS[workload]:.2f} of HIP-CPU's recorded time, at most {goal} wanted",
                        fast <= goal * HIP_CPU_MS[workload])


def write_diagnosing(report):
    report.lines += ["", "## With all diagnostics", "",
                     "Milliseconds, best / median; Oclgrind at the smaller shapes, optimised (`--build-options -O3`)."]
    rows, factors = [], {}
    for workload, (size, small) in WORKLOADS.items():
        ours, races = report.median("diagnosing", workload, small), report.median("races", workload, small)
        if ours and races:
            factors[workload] = races / ours
        fast = report.median("fast", workload, size)
        rows.append([shape_text(workload, size), report.both("diagnosing", workload, size),
                     ratio_text(report.median("diagnosing", workload, size), fast), shape_text(workload, small),
                     report.both("diagnosing", workload, small), report.both("oclgrind", workload, small),
                     report.both("races", workload, small), f"x{factors[workload]:.0f}" if workload in factors else "-"])
    report.table(["workload", "simulator, diagnosing", "to fast", "smaller", "simulator, diagnosing", "Oclgrind",
                  "Oclgrind --data-races", "races to ours"], rows)
    for workload, factor in factors.items():
        report.goal(f"{workload}: {factor:.0f} times as fast as Oclgrind --data-races, {OCLGRIND_GOAL:.0f} wanted",
                    factor >= OCLGRIND_GOAL)


def write_large(report):
    report.lines += ["", "## Memory", ""]
    for key, name in (("fast", "fast"), ("diagnosing", "diagnosing")):
        found = report.samples.get((key, *LARGE))
        if not found:
            continue
        peak = max(s[2] for s in found)
        text = f"{shape_text(*LARGE)}, {name}: {report.both(key, *LARGE)} ms, at most {peak:.0f} MB resident"
        if key == "diagnosing":
            report.goal(f"{text}, less than {LARGE_LIMIT_MB:.0f} wanted", peak < LARGE_LIMIT_MB)
        else:
            report.lines.append(f"- {text}")


def write_verdict(report, seconds, trouble):
    report.lines += ["", "## From saving to the verdict", ""]
    if trouble:
        report.goal(f"Puzzle 22 has a verdict ({trouble})", False)
        return
    median = statistics.median(seconds)
    report.goal(f"Puzzle 22 --unfused: {min(seconds):.2f} / {median:.2f} s (best / median), at most {VERDICT_GOAL_S:.0f} s wanted",
                median <= VERDICT_GOAL_S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--workbook", default=str(ROOT / "bin" / "workbook"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        all_engines = engines(options.workbook, folder)
        busy = os.getloadavg()[0]
        samples = measure(all_engines, options.rounds)
        seconds, trouble = verdict_seconds(options.workbook, options.rounds, folder)

    report = Report(samples)
    report.lines += ["# The simulator's speed", "",
                     f"Written by `make bench`: {os.cpu_count()} cores, {platform.machine()}, load {busy:.1f} before it began; "
                     f"{options.rounds} rounds, everything side by side in each. Kernels alone: launch and synchronisation, "
                     "timed inside the program.", ""]
    write_speed(report)
    write_diagnosing(report)
    write_large(report)
    write_verdict(report, seconds, trouble)
    absent = [f"- {e.name}: {e.missing}" for e in all_engines.values() if e.missing]
    failed = [f"- {e.name}: {line}" for e in all_engines.values() for line in e.failures]
    if absent + failed:
        report.lines += ["", "## Not measured", "", *absent, *failed]
    text = "\n".join(report.lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)
    return 1 if failed or report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
