#!/usr/bin/env python3
"""Runs programs through `workbook sim` and holds the findings against what each program says about itself
(marks.py): every expected finding at its line, no other, and the exit status that follows from them.

    run.py WORKBOOK [--cxx clang++] [--jobs N] [--write results.json] [--timeout S] FILE_OR_FOLDER...
    run.py WORKBOOK --self-test

A program of a folder `buggy` must have a mark; one of `refused` names the errors that it gets in place of a run; one of any other
folder must have none, find nothing and exit 0. Exits 1 when a
program does not do what it says.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import marks

HERE = pathlib.Path(__file__).resolve().parent
REFUSED, CRASHED = 3, 4  # of workbook sim: 2 usage, 3 does not compile, 4 crashed or did not end, 5 its own fault
ERROR = re.compile(r"^(.+?):(\d+):(?:\d+:)? error: (.*)$", re.MULTILINE)


class Run:
    """One program: what it says about itself, what was found, and what is wrong with that."""

    def __init__(self, file):
        self.file = file
        self.marks = marks.Marks(file.read_text())
        self.findings, self.counters, self.status, self.output, self.seconds, self.problems = [], [], None, "", 0.0, []

    def judge(self):
        say = self.problems.append
        if self.file.parent.name == "refused":
            self.judge_refusal()
            return
        if self.file.parent.name == "buggy" and not self.marks.expected:
            say("lies among the buggy ones and expects nothing")
        for klass, severity, line in self.marks.expected:
            if not any(f["class"] == klass and f["severity"] == severity and line in lines(f) for f in self.findings):
                say(f"expected at line {line}, not found: {severity} {klass}")
        for f in self.findings:
            allowed = self.marks.lines_of(f["class"])
            if pathlib.Path(f["file"]).name != self.file.name or not lines(f) <= allowed:
                say(f"found, not expected: {describe(f)}")
        for line, words in self.marks.words:
            if not any(words in f"{f['message']} {f.get('advice') or ''}" for f in self.findings if line in lines(f)):
                say(f"no finding at line {line} says '{words}'")
        if self.marks.counts:
            self.judge_counts()
        status = 1 if self.marks.expects_error() else 0
        if self.status != status:
            say(f"exit status {self.status}, not {status}")

    def judge_refusal(self):
        """Each error that is marked, and no other."""
        errors = [(int(line), words) for name, line, words in ERROR.findall(self.output) if pathlib.Path(name).name == self.file.name]
        for line, words in self.marks.refused:
            if not any(at == line and all(word in said for word in words) for at, said in errors):
                self.problems.append(f"line {line} is not refused with '{', '.join(words)}'")
        for line, said in errors:
            if not any(at == line and all(word in said for word in words) for at, words in self.marks.refused):
                self.problems.append(f"line {line} is refused: {said}")
        if not self.marks.refused:
            self.problems.append("lies among the refused ones and expects nothing")
        if self.status != REFUSED:
            self.problems.append(f"exit status {self.status}, not {REFUSED}")

    def judge_counts(self):
        """Lines that count nothing must not be asked for anything either."""
        found = {}
        for row in self.counters:
            place = row["line"], row["kind"]
            found[place] = found.get(place, 0) + row["requests"]
        for place in sorted(found.keys() | self.marks.counts.keys()):
            if found.get(place, 0) != self.marks.counts.get(place, 0):
                self.problems.append(f"line {place[0]}: {found.get(place, 0)} requests of kind {place[1]}, not {self.marks.counts.get(place, 0)}")


def lines(finding):
    """The lines that the finding names in the program itself."""
    found = {finding["line"]}
    if finding.get("other_line") and finding.get("other_file") in (None, finding["file"]):
        found.add(finding["other_line"])
    return found


def describe(finding):
    other = f" and {finding['other_line']}" if finding.get("other_line") else ""
    return (f"{finding['severity']} {finding['class']} at {pathlib.Path(finding['file']).name}:{finding['line']}{other}: "
            f"{finding['message']}")


def run(file, options):
    result = Run(file)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [options.workbook, "sim", file, "--report", report, "--timeout", str(options.timeout)]
        if options.cxx:
            command += ["--cxx", options.cxx]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                  timeout=options.timeout + 1800)
            result.status, result.output = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            result.problems.append("workbook sim does not come to an end")
            return result
        if report.exists():
            said = json.loads(report.read_text())
            result.findings, result.counters = said["findings"], said["counters"]
        elif result.status < CRASHED and file.parent.name != "refused":
            result.problems.append("workbook sim wrote no report")
    result.seconds = time.monotonic() - started
    result.judge()
    return result


def programs(paths):
    found = []
    for path in paths:
        found += sorted(path.resolve().glob("*.cu")) if path.is_dir() else [path.resolve()]
    if not found:
        raise SystemExit(f"run.py: no program in {', '.join(map(str, paths))}")
    return found


def run_all(files, options):
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda file: run(file, options), files):
            results.append(result)
            print(f"{'FAIL' if result.problems else 'ok  '} {result.file.parent.name}/{result.file.name} ({result.seconds:.1f} s)",
                  flush=True)
            for problem in result.problems:
                print(f"     {problem}")
            if result.problems and options.verbose:
                print("".join(f"     | {line}\n" for line in result.output.splitlines()), end="")
    return results


def write(results, file):
    """What corpus_table.py lays beside the findings of a GPU's tools."""
    file.write_text(json.dumps({"programs": [
        {"program": f"{r.file.parent.name}/{r.file.stem}", "status": r.status, "as_expected": not r.problems,
         "expected": [{"class": c, "severity": s, "line": n} for c, s, n in r.marks.expected],
         "findings": [{key: f.get(key) for key in ("class", "severity", "line", "other_line", "count")} for f in r.findings]}
        for r in results]}, indent=1) + "\n")


# ---- Whether the runner itself can fail ------------------------------------------------------------

def altered(folder, source, *replacements):
    text = source.read_text()
    for old, new in replacements:
        assert old in text, f"{source.name} no longer holds '{old}'"
        text = text.replace(old, new)
    copy = folder / source.parent.name / f"{len(list(folder.rglob('*.cu')))}_{source.name}"
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text)
    return copy


def self_test(options):
    """Programs that say something wrong about themselves: each must be refused, for the right reason."""
    buggy, clean = HERE / "buggy", HERE / "clean"
    mark = "  // expect: oob_global"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cases = {
            altered(folder, buggy / "oob_no_guard.cu", (mark, "")): "expects nothing",
            altered(folder, buggy / "oob_no_guard.cu", (mark, "  // expect: misaligned")): "not found: error misaligned",
            altered(folder, buggy / "oob_no_guard.cu", (mark, f"\n{mark}")): "found, not expected: error oob_global",
            altered(folder, buggy / "oob_no_guard.cu", ("y[i] =", "if (i < 1000) y[i] =")): "exit status 0, not 1",
            altered(folder, buggy / "oob_no_guard.cu", ("expect:", "expect-warning:")): "not found: warning oob_global",
            altered(folder, buggy / "texture_coordinates.cu", ("says: normalizedCoords = 1", "says: normalizedCoords = 2")):
                "says 'normalizedCoords = 2'",
            altered(folder, HERE / "counted" / "unused_loads.cu", ("load 10", "load 12")): "10 requests of kind global load, not 12",
            altered(folder, clean / "grid_stride.cu", ("i < n;", "i <= n;")): "found, not expected: error oob_global",
            altered(folder, clean / "grid_stride.cu", ("v != 7.0f", "v != 8.0f")): "exit status 1, not 0",
            altered(folder, HERE / "refused" / "exceptions.cu", ("exception handling", "float handling")): "does not support float handling'",
            altered(folder, HERE / "refused" / "exceptions.cu", ("throw ", "return; // ")): "exit status 0, not 3",
            altered(folder, clean / "grid_stride.cu", ("fmaf(", "no_such_function(")): "exit status 3, not 0",
        }
        results = {result.file: result for result in run_all(list(cases), options)}
        missed = [f"{file.name}: nobody said '{reason}'" for file, reason in cases.items()
                  if not any(reason in problem for problem in results[file].problems)]
    print("\n".join(missed) or f"all {len(cases)} refused for the right reason")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workbook", type=pathlib.Path)
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--cxx", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--timeout", type=int, default=60, help="seconds a program may run")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true", help="show the output of what fails")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_intermixed_args()
    options.workbook = options.workbook.resolve()
    if options.self_test:
        return self_test(options)
    results = run_all(programs(options.paths or [HERE / "buggy", HERE / "clean"]), options)
    if options.write:
        write(results, options.write)
    failed = sum(bool(result.problems) for result in results)
    print(f"{len(results) - failed} of {len(results)} programs do what they say")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
