#!/usr/bin/env python3
"""Runs the corpus of buggy and clean programs (harness/tests/corpus) on the GPU, alone and under the four tools of
compute-sanitizer, and records which tool names which line.

    sanitize_corpus.py --out FILE.tsv [--only NAME,NAME] [--jobs N] [--budget SECONDS] [--work DIR]

Never waits for a program longer than its limit, nor for all of them longer than the budget: what has not begun by
then is recorded as 'not run'. Programs that may hang run last and get the shorter limit. Needs nvcc, a GPU and
compute-sanitizer; only Python's own library. Exits 1 when a clean program fails on the GPU or something was not run.

A line of the table is a program; see VERDICTS for its last column. corpus_table.py lays it beside the simulator's
findings.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORPUS = ROOT / "harness/tests/corpus"
sys.path.insert(0, str(CORPUS))
import marks  # noqa: E402  what a program says about itself

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
COLUMNS = ("program", "expected", "alone", *TOOLS, "verdict")
VERDICTS = {
    "same line": "a tool names a line that the program marks",
    "other line": "tools report something, at no marked line",
    "hang": "silent, and some run did not end",
    "crash": "silent, and the program alone was killed by a signal",
    "silent": "no tool reports anything",
    "quiet": "a clean program of which no tool reports anything",
    "alarm": "a clean program of which a tool reports something",
    "not run": "the budget was used up, or it did not compile",
}
MAY_HANG = {"infinite_loop", "divergent_barrier", "bad_warp_mask", "barrier_count", "barrier_phase", "barrier_exit", "barrier_deadlock"}
LIMIT_S, SHORT_LIMIT_S = 12, 5
HANG = "hang"
NOT_RUN = "not run"


class Program:
    def __init__(self, file):
        self.file = file
        self.name = f"{file.parent.name}/{file.stem}"
        self.marks = marks.Marks(file.read_text())
        self.binary = None
        self.why_not = ""
        self.results = {column: NOT_RUN for column in ("alone", *TOOLS)}
        self.named_lines = set()
        self.reports = 0

    def may_hang(self):
        return bool(MAY_HANG & {klass for klass, _, _ in self.marks.expected})

    def verdict(self):
        if self.binary is None or NOT_RUN in self.results.values():
            return NOT_RUN
        if not self.marks.expected:
            return "alarm" if self.reports else "quiet"
        if self.named_lines & {line for _, line in self.marks.allowed}:
            return "same line"
        if self.reports:
            return "other line"
        if HANG in self.results.values():
            return "hang"
        return "crash" if self.results["alone"].startswith("signal") else "silent"

    def row(self):
        expected = "; ".join(f"{line}: {klass}" for klass, _, line in self.marks.expected) or "-"
        return [self.name, expected, *self.results.values(), self.verdict()]


def run_limited(command, limit, cwd):
    """(exit status or None when killed at the limit, output). The whole process group goes, and a process that even
    the kill does not end is left behind."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=cwd,
                                   start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(process.pid, signal.SIGKILL)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                pass
        output.seek(0)
        return status, output.read(4_000_000).decode(errors="replace")


# ---- What a tool says ------------------------------------------------------------------------------

FRAME = re.compile(r"\bin (?:\S*/)?([\w.]+\.cuh?):(\d+)")


def records(output):
    """The tool's reports: lists of lines without the leading =========."""
    record = []
    for line in output.splitlines():
        if not line.startswith("========="):
            continue
        text = line[9:]
        if text.startswith("     ") or text.startswith("\t"):  # belongs to the report above
            record.append(text.strip())
            continue
        if record:
            yield record
        record = [text.strip()] if text.strip() else []
    if record:
        yield record


def is_report(title):
    if title.startswith(("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "LEAK SUMMARY", "Target application",
                         "Error: process didn't terminate", "Warning: ")):
        return title.startswith("Warning: Race reported")
    # That a kernel failed is said once more by every call after it: the report of the access came before.
    return not ("CUDA API call" in title and ("launch failure" in title or "illegal" in title or "misaligned" in title))


def read_reports(output, file_name):
    """Counter of (line or 0, what): one entry a distinct report, lines of `file_name` only."""
    found = collections.Counter()
    for record in records(output):
        title = record[0]
        if not is_report(title):
            continue
        host_counts = title.startswith("Leaked")
        lines = {int(number) for text in record for name, number in FRAME.findall(text)
                 if name == file_name and (host_counts or not text.startswith("Host Frame"))}
        what = re.sub(r"\s*\[\d+ hazards\]|\b0x[0-9a-f]+\b", "", title)
        what = re.sub(r"^Leaked [\d,]+ bytes.*", "Leaked", re.sub(r"( access)? at \S.*$", r"\1", what))
        for line in lines or {0}:
            found[(line, what.replace("\t", " "))] += 1
    return found


def describe(found):
    if not found:
        return "-"
    shown = [f"{line or '?'}: {what}" + (f" x{count}" if count > 1 else "") for (line, what), count in sorted(found.items())]
    return "; ".join(shown[:4]) + ("; ..." if len(shown) > 4 else "")


# ---- Doing it --------------------------------------------------------------------------------------

class Runner:
    def __init__(self, options):
        self.options = options
        self.deadline = time.monotonic() + options.budget
        self.extra = {"memcheck": ["--leak-check", "full"], "racecheck": ["--racecheck-report", "analysis"]}
        _, text = run_limited([options.sanitizer, "--help"], 20, options.work)
        if "initcheck-address-space" in text:  # newer ones can look at shared memory too, if told to
            self.extra["initcheck"] = ["--initcheck-address-space", "all"]

    def time_left(self):
        return self.deadline - time.monotonic()

    def compile(self, program):
        if self.time_left() < 1:
            return
        binary = self.options.work / program.name.replace("/", "_")
        command = [self.options.nvcc, "-std=c++17", "-g", "-lineinfo", f"-arch={self.options.arch}", "-o", binary, program.file]
        status, output = run_limited(command, min(90, self.time_left()), self.options.work)
        if status == 0:
            program.binary = binary
        else:
            program.why_not = output.strip()[-300:]

    def try_tool(self, program, tool):
        """tool 'alone': the program by itself."""
        limit = SHORT_LIMIT_S if program.may_hang() else LIMIT_S
        if program.binary is None or self.time_left() < limit:
            return
        command = [program.binary]
        if tool != "alone":
            command = [self.options.sanitizer, "--tool", tool, *self.extra.get(tool, []), program.binary]
        status, output = run_limited(command, limit, self.options.work)
        if tool == "alone":
            program.results[tool] = (HANG if status is None else f"signal {-status}" if status < 0 else f"exit {status}")
            return
        found = read_reports(output, program.file.name)
        program.reports += sum(found.values())
        program.named_lines |= {line for line, _ in found}
        said = describe(found)
        program.results[tool] = said if status is not None else HANG if said == "-" else f"{said}; {HANG}"

    def run(self, programs):
        jobs = self.options.jobs
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.compile, programs))
        self.say(f"{sum(p.binary is not None for p in programs)} of {len(programs)} compiled")
        steps = ("alone", *TOOLS)
        # A kernel that spins takes its share of the GPU from the others: fewer of those at a time.
        for may_hang, workers in ((False, jobs), (True, max(1, jobs // 2))):
            work = [(p, step) for p in programs if p.may_hang() == may_hang for step in steps]
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                list(pool.map(lambda item: self.try_tool(*item), work))
            self.say(f"{len(work)} runs of programs that {'may' if may_hang else 'should not'} hang")

    def say(self, text):
        print(f"[{self.options.budget - self.time_left():.0f} s] {text}", flush=True)


def architecture():
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    return "sm_" + subprocess.run(query, capture_output=True, text=True, check=True, timeout=30).stdout.split()[0].replace(".", "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, help="for the programs; default: a temporary folder")
    parser.add_argument("--corpus", type=pathlib.Path, default=CORPUS)
    parser.add_argument("--only", default="", help="names without folder, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--budget", type=float, default=270.0)
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--sanitizer", default=shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer")
    parser.add_argument("--arch", default="")
    options = parser.parse_args()
    options.arch = options.arch or architecture()
    wanted = set(filter(None, options.only.split(",")))
    programs = [Program(file) for folder in ("buggy", "clean") for file in sorted((options.corpus / folder).glob("*.cu"))
                if not wanted or file.stem in wanted]
    with tempfile.TemporaryDirectory() as scratch:
        options.work = (options.work or pathlib.Path(scratch)).resolve()
        options.work.mkdir(parents=True, exist_ok=True)
        Runner(options).run(programs)

    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join("\t".join(row) for row in [list(COLUMNS), *(p.row() for p in programs)]) + "\n")
    counts = collections.Counter(program.verdict() for program in programs)
    print(", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS if counts[verdict]))
    bad = 0
    for program in programs:
        if program.why_not:
            print(f"{program.name} does not compile: {program.why_not}")
        clean_fails = not program.marks.expected and program.results["alone"] not in ("exit 0", NOT_RUN)
        if clean_fails:
            print(f"{program.name} is said to be clean, and alone on the GPU: {program.results['alone']}")
        bad += clean_fails or program.verdict() == NOT_RUN
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
