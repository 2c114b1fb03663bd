#!/usr/bin/env python3
"""sanitize_corpus.py and corpus_table.py with a compiler, a sanitizer and programs that only pretend: what is read
from the tools' words, and that nothing waits for a program that never ends."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GPU = ROOT / "harness/bench/gpu"

spec = importlib.util.spec_from_file_location("sanitize_corpus", GPU / "sanitize_corpus.py")
sanitize_corpus = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sanitize_corpus)

MEMCHECK = """\
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, const float *, float)+0xa0 in /some/where/buggy.cu:7
=========     by thread (232,0,0) in block (3,0,0)
=========     Access at 0x7f0 is out of bounds
=========         Host Frame: main in buggy.cu:20 [0x9f1c]
=========
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, const float *, float)+0xa0 in /some/where/buggy.cu:7
=========     by thread (233,0,0) in block (3,0,0)
=========
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaMemcpy.
=========     Saved host backtrace up to driver entry point at error
=========         Host Frame: main in buggy.cu:21 [0xa01c]
=========
y[0] = 3
========= Leaked 2,000 bytes at 0x7f1
=========     Saved host backtrace up to driver entry point at allocation time
=========         Host Frame: main in buggy.cu:17 [0x1c]
=========
========= LEAK SUMMARY: 2000 bytes leaked in 1 allocations
========= ERROR SUMMARY: 3 errors
"""
RACECHECK = """\
========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at reverse(int *)+0x90 in buggy.cu:13
=========     and Read access at reverse(int *)+0xb0 in buggy.cu:14 [1020 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
QUIET = "========= COMPUTE-SANITIZER\nsum 42\n========= ERROR SUMMARY: 0 errors\n"


class Reading(unittest.TestCase):
    def test_names_the_lines_of_accesses_and_leaks_but_not_of_the_calls_that_fail_after(self):
        found = sanitize_corpus.read_reports(MEMCHECK, "buggy.cu")
        self.assertEqual(dict(found), {(7, "Invalid __global__ write of size 4 bytes"): 2, (17, "Leaked"): 1})

    def test_names_both_lines_of_a_race(self):
        found = sanitize_corpus.read_reports(RACECHECK, "buggy.cu")
        self.assertEqual({line for line, _ in found}, {13, 14})

    def test_reads_nothing_from_a_quiet_run(self):
        self.assertEqual(dict(sanitize_corpus.read_reports(QUIET, "buggy.cu")), {})

    def test_a_frame_of_another_file_is_a_report_without_a_line(self):
        found = sanitize_corpus.read_reports(MEMCHECK, "other.cu")
        self.assertEqual({line for line, _ in found}, {0})


# A program is its own source, run by the shell; what the sanitizer says of it stands in its comments.
FAKE_NVCC = "#!/bin/sh\nwhile [ $# -gt 2 ]; do shift; done\ncp \"$2\" \"$1\"\nchmod +x \"$1\"\n"
FAKE_SANITIZER = """#!/bin/sh
[ "$1" = --help ] && exit 0
for last; do :; done
sed -n "s/^#$2 //p" "$last"
exec "$last"
"""
PROGRAMS = {
    "buggy/found.cu": "#!/bin/sh\n# // expect: oob_global\n#memcheck ========= Invalid read\n"
                      "#memcheck =========     at k()+0x1 in found.cu:2\n",
    "buggy/elsewhere.cu": "#!/bin/sh\n# // expect: oob_global\n#memcheck ========= Invalid read\n"
                          "#memcheck =========     at k()+0x1 in elsewhere.cu:9\n",
    "buggy/silent.cu": "#!/bin/sh\n# // expect: race_global\n",
    "buggy/hangs.cu": "#!/bin/sh\n# // expect: infinite_loop\nsleep 100000 & wait\n",
    "buggy/dies.cu": "#!/bin/sh\n# // expect: host_deref\nkill -SEGV $$\n",
    "clean/quiet.cu": "#!/bin/sh\nexit 0\n",
    "clean/alarm.cu": "#!/bin/sh\n#racecheck ========= Error: Race reported between Write access at k() in alarm.cu:3\n",
}


class Running(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in {**PROGRAMS, "nvcc": FAKE_NVCC, "sanitizer": FAKE_SANITIZER}.items():
            file = self.folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)

    def sanitize(self, *more):
        table = self.folder / "table.tsv"
        command = [sys.executable, GPU / "sanitize_corpus.py", "--corpus", self.folder, "--out", table, "--arch", "sm_90",
                   "--nvcc", self.folder / "nvcc", "--sanitizer", self.folder / "sanitizer", "--jobs", "8", *more]
        done = subprocess.run(command, capture_output=True, text=True)
        rows = [line.split("\t") for line in table.read_text().splitlines()]
        return done, {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}, table

    def test_every_verdict_and_no_waiting_for_what_hangs(self):
        done, rows, table = self.sanitize()
        self.assertEqual({name: row["verdict"] for name, row in rows.items()}, {
            "buggy/found": "same line", "buggy/elsewhere": "other line", "buggy/silent": "silent", "buggy/hangs": "hang",
            "buggy/dies": "crash", "clean/quiet": "quiet", "clean/alarm": "alarm"}, done.stdout + done.stderr)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(rows["buggy/found"]["memcheck"], "2: Invalid read")
        self.assertEqual(rows["buggy/hangs"]["alone"], "hang")

        results = self.folder / "results.json"
        results.write_text(json.dumps({"programs": [
            {"program": name, "status": 1, "as_expected": name != "buggy/silent",
             "expected": [{"class": "oob_global", "severity": "error", "line": 2}] if name.startswith("buggy") else [],
             "findings": []} for name in rows]}))
        made = subprocess.run([sys.executable, GPU / "corpus_table.py", results, table], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("| oob_global | 5 | 4 | 1 | 1 | 3 |", made.stdout)
        self.assertIn("| clean | 2 | 2 quiet | 1 quiet | | |", made.stdout)

    def test_what_the_budget_leaves_out_is_not_called_silent(self):
        done, rows, _ = self.sanitize("--budget", "0", "--only", "silent,quiet")
        self.assertEqual({row["verdict"] for row in rows.values()}, {"not run"})
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
