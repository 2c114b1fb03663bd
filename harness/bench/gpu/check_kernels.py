#!/usr/bin/env python3
"""Runs every kernels.cu of the repository on the GPU itself: the solution of each variant must be accepted, the
skeleton refused, and each mutant refused that can be refused without the simulator's eyes. Variants that are
programs of their own are compiled and run as they are: the solution must print what is asked of it.

    check_kernels.py [--build BUILD_DIR] [--workbook PROGRAM] [--out DIR] [--puzzles 01,22] [--jobs N]

`workbook run --backend cuda` asks the simulator first, so a wrong kernel never reaches the GPU there. Here the
child programs are compiled and run directly. They stay in DIR/<puzzle>/<origin>/child for profilers. Exits 1
when a verdict is not the expected one.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIBRARIES = ("core", "declaration", "gpu", "record")  # as kCudaLibraries of harness/cli/CMakeLists.txt

# What only shows when accesses are watched: on a GPU such a kernel may well compute the right answer. Findings, budgets by
# the names that the core gives them, and one sentence of advice.
BUDGETS = re.findall(r'add\("([^"]+)", budget\.', (ROOT / "harness/core/budget.cpp").read_text())
SEEN_BY_THE_SIMULATOR_ONLY = re.compile("^(" + "|".join([
    "race", "uninit", "oob", "misaligned", "divergent", "may have ended by then", "not have begun", "bad_warp", "uncoalesced", "bank", "copy_not_waited",
    "Keep the value in a variable", "One request serves", "They take turns", "where their words lie apart", "what a block needs again",
    *BUDGETS]) + ")")
assert BUDGETS, "harness/core/budget.cpp names no budget"

# Variants whose skeleton computes the right answer and costs too much: only counts tell.
RIGHT_AS_THEY_BEGIN = {("30_profiling", "tiles"), ("32_bank_conflicts", "swizzled")}


class Kernels:
    """One kernels.cu, and the variants it is tried with."""

    def __init__(self, puzzle, origin, file, variants, expect=""):
        self.puzzle, self.origin, self.file, self.variants, self.expect = puzzle, origin, file, variants, expect


def variants_of(puzzle):
    """Those that launches.cu launches, as puzzle.cpp declares them (`workbook derive`)."""
    declared = json.loads((puzzle / "declared.json").read_text())
    return [variant["name"] for variant in declared["variants"] if "program" not in variant]


def given_variants(puzzle):
    """Those to compare with, whose kernels may all be given."""
    return {variant["name"] for variant in json.loads((puzzle / "declared.json").read_text())["variants"] if not variant["required"]}


def programs_of(puzzle):
    return [variant for variant in json.loads((puzzle / "declared.json").read_text())["variants"]
            if "program" in variant]


def seen_by_the_simulator(puzzle):
    """By mutant, what a GPU keeps to itself: what is spent, and what memory holds that nobody has set (NaN only there)."""
    file = puzzle / "fingerprints.json"  # harness/runs/fingerprints.h has the format
    mutants = json.loads(file.read_text())["mutants"] if file.is_file() else []
    unset = {m["mutant"]: "uninit" for m in mutants if any("nan" in probes for probes in m["tensors"])}
    return unset | {m["mutant"]: "barriers" for m in mutants if "spent" in m}


def header(file, key):
    match = re.search(rf"^// {key}: (.*)$", file.read_text(), re.MULTILINE)
    return match.group(1).strip() if match else ""


def find_puzzles(wanted):
    return [puzzle for puzzle in sorted((ROOT / "puzzles").glob("[0-9][0-9]_*"))
            if not wanted or puzzle.name[:2] in wanted]


def find_kernels(wanted, options):
    found = []
    for puzzle in find_puzzles(wanted):
        variants = variants_of(puzzle)
        if not variants:
            continue
        found.append(Kernels(puzzle, "solution", ROOT / "solutions" / puzzle.name / "kernels.cu", variants))
        found.append(Kernels(puzzle, "skeleton", ROOT / "solutions" / puzzle.name / "kernels.cu", variants))
        if options.no_mutants:
            continue
        mutants = options.out / puzzle.name / "mutants"
        shutil.rmtree(mutants, ignore_errors=True)  # those of an earlier state of the repository
        subprocess.run([options.workbook, "mutants", puzzle.name, "--write", mutants], check=True)
        special = seen_by_the_simulator(puzzle)
        for mutant in sorted(mutants.glob("*.cu")):
            if header(mutant, "variant") in variants:  # mistakes in programs are known by their findings
                found.append(Kernels(puzzle, mutant.stem, mutant, [header(mutant, "variant")],
                                     special.get(mutant.stem) or header(mutant, "expect")))
    return found


def nvcc(options, *words):
    """What nvcc says if it fails, else nothing."""
    command = [options.nvcc, "-std=c++20", "-O3", "-lineinfo", f"-arch={options.arch}", f"-I{ROOT}/harness/include",
               *map(str, words)]
    built = subprocess.run(command, capture_output=True, text=True)
    return built.stdout + built.stderr if built.returncode else ""


def compile_declaration(puzzle, options):
    """puzzle.cpp is the same for every kernels.cu: compiled once."""
    folder = options.out / puzzle.name
    folder.mkdir(parents=True, exist_ok=True)
    if errors := nvcc(options, "-c", puzzle / "puzzle.cpp", "-o", folder / "puzzle.o"):
        raise SystemExit(f"{puzzle.name}/puzzle.cpp does not compile:\n{errors}")


def compile_child(kernels, options):
    folder = options.out / kernels.puzzle.name / kernels.origin
    folder.mkdir(parents=True, exist_ok=True)
    for file in [kernels.puzzle / "launches.cu", *kernels.puzzle.glob("*.cuh"), *kernels.puzzle.glob("*.h")]:
        shutil.copy(file, folder)
    text = kernels.file.read_text()
    if kernels.origin == "skeleton":  # as `workbook reset` derives it, whatever the learner has made of theirs
        text = re.sub(r"(// FILL ME IN: .*\n)(?s:.*?)(\n *// END: )", r"\1\2", text)
    (folder / "kernels.cu").write_text(text)
    libraries = [next(options.build.rglob(f"libworkbook_{name}.a")) for name in LIBRARIES]
    return folder, nvcc(options, folder / "launches.cu", folder.parent / "puzzle.o", "-o", folder / "child",
                        "-Xlinker", "--start-group", *libraries, "-Xlinker", "--end-group", "-lpthread", "-ldl", "-lrt")


def try_program(puzzle, variant, options):
    """The solution of a variant that is a program: a line like try_kernels'."""
    line = (puzzle.name, "solution", variant["name"])
    asked = variant["program"]
    folder = options.out / puzzle.name / variant["name"]
    folder.mkdir(parents=True, exist_ok=True)
    if errors := nvcc(options, f"-I{puzzle}", ROOT / "solutions" / puzzle.name / variant["file"],
                      *[puzzle / source for source in asked.get("sources", [])], "-o", folder / "program"):
        return (*line, False, "does not compile: " + errors.strip()[-400:])
    try:
        run = subprocess.run([folder / "program", *asked["arguments"]], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return (*line, False, "no end after 60 s")
    if run.returncode != asked["status"]:
        return (*line, False, f"exit status {run.returncode}, not {asked['status']}: {run.stderr.strip()[-300:]}")
    at = 0
    for text in asked["prints"]:
        at = run.stdout.find(text, at)
        if at < 0:
            return (*line, False, f"does not print '{text}' where it should: {run.stdout.strip()[-300:]}")
        at += len(text)
    return (*line, True, "accepted")


class Broken(Exception):
    """The child gave no verdict: neither accepted nor refused."""


def verdict_of(kernels, folder, variant, phase):
    """'accepted', or why not. Throws Broken."""
    mistakes = kernels.puzzle / "fingerprints.json"
    out = folder / f"{variant}-{phase}"
    out.mkdir(exist_ok=True)
    try:
        run = subprocess.run([folder / "child", "--variant", variant, "--phase", phase, "--out", out,
                              "--fingerprints", mistakes], capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "no end after 20 s"
    if run.returncode < 0:
        return f"ended by {signal.Signals(-run.returncode).name}"
    if run.returncode != 0:
        raise Broken(f"exit status {run.returncode}: {(run.stdout + run.stderr).strip()[-300:]}")
    report = json.loads((out / "report.json").read_text())
    for finding in report.get("findings", []):
        if finding["severity"] == "error":
            return f"{finding['class']}: {finding['message']}"
    for case in report.get("cases", []):
        for check in case["checks"]:
            if check["wrong"] > 0:
                why = case.get("diagnosis") or f"{check['wrong']} of {check['total']} elements of {check['tensor']}"
                return f"wrong on '{case['name']}': {why}"
    if not report.get("cases") and phase != "large":  # a variant may refuse that size
        raise Broken("no case was checked")
    return "accepted"


def try_kernels(kernels, options):
    """Lines of (puzzle, origin, variant, as expected?, verdict)."""
    name = kernels.puzzle.name
    folder, errors = compile_child(kernels, options)
    if errors:
        return [(name, kernels.origin, "", False, "does not compile: " + errors.strip()[-400:])]
    lines = []
    for variant in kernels.variants:
        try:
            verdict = verdict_of(kernels, folder, variant, "check")
            if verdict == "accepted":
                verdict = verdict_of(kernels, folder, variant, "large")
            good = (verdict == "accepted") == (kernels.origin == "solution")
            if not good and kernels.origin == "skeleton" and variant in given_variants(kernels.puzzle):
                good, verdict = True, "accepted: its kernels are given, to compare with"
            if not good and kernels.origin == "skeleton" and (name, variant) in RIGHT_AS_THEY_BEGIN:
                good, verdict = True, "accepted by the GPU; the simulator sees what it costs"
            if not good and SEEN_BY_THE_SIMULATOR_ONLY.match(kernels.expect):
                good, verdict = True, f"accepted by the GPU; the simulator sees {kernels.expect}"
        except Broken as broken:
            good, verdict = False, str(broken)
        lines.append((name, kernels.origin, variant, good, verdict))
    return lines


def architecture():
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    return "sm_" + subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0].replace(".", "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default="build/workbook")
    parser.add_argument("--workbook", type=pathlib.Path, help="default: the one in BUILD_DIR")
    parser.add_argument("--out", type=pathlib.Path, default="build/workbook/check/children")
    parser.add_argument("--puzzles", default="", help="numbers, such as 01,22; default all")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--arch", default="")
    parser.add_argument("--no-mutants", action="store_true", help="solutions and skeletons only")
    parser.add_argument("--list", action="store_true", help="print puzzles and the variants that they launch, compile nothing")
    options = parser.parse_args()
    wanted = set(filter(None, options.puzzles.split(",")))
    if options.list:
        for puzzle in find_puzzles(wanted):
            for variant in variants_of(puzzle):
                print(puzzle.name, variant)
        return 0
    options.arch = options.arch or architecture()
    options.workbook = options.workbook or options.build / "harness/cli/workbook"

    puzzles = find_puzzles(wanted)
    programs = [(puzzle, variant) for puzzle in puzzles for variant in programs_of(puzzle)]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(lambda puzzle: compile_declaration(puzzle, options), puzzles):
            pass
        tried = [pool.submit(try_kernels, kernels, options) for kernels in find_kernels(wanted, options)]
        tried += [pool.submit(lambda one: [try_program(*one, options)], one) for one in programs]
        for lines in tried:
            for puzzle, origin, variant, good, verdict in lines.result():
                failures += not good
                print(f"{'ok  ' if good else 'FAIL'} {puzzle} {origin} {variant}: {verdict}", flush=True)
    print(f"{failures} unexpected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
