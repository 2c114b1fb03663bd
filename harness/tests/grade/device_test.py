"""Times on a GPU beside the modelled ones: no mark depends on them. The driver, nvcc and what it makes are stand-ins."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from course import GradeTest

COURSE = 'name = "Measured"\nseed = 20\n[[task]]\npuzzle = 1\npoints = 5\nratio = { of = "time", points = 1 }\n'
DRIVER = """
extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int* count) { *count = 1; return 0; }
extern "C" int cuDeviceGetName(char* name, int, int) {
  const char* const text = "Stand-in GPU";
  for (int i = 0; (name[i] = text[i]); ++i) {}
  return 0;
}
extern "C" int cuDeviceGetAttribute(int* value, int which, int) { *value = which == 75 ? 9 : 0; return 0; }
"""
# What is compiled knows what the learner's file says of it: wrong on the device, slow, or nothing that nvcc takes.
NVCC = """#!/bin/sh
for word; do
  case $word in */launches.cu) kernels=${word%/*}/kernels.cu ;; esac
  [ "$before" != -o ] || out=$word
  before=$word
done
if grep -q 'nvcc: no' "$kernels"; then echo "$kernels(3): error: not today"; exit 1; fi
if [ -e "@STATE@/grade/calls.bpf" ]; then echo "$kernels(1): error: the sandbox is open"; exit 1; fi
sed "s/@WRONG@/$(grep -c 'device: wrong' "$kernels")/" "${0%/*}/program" >"$out"
chmod +x "$out"
"""
# The kernels' end of the judge's socket (harness/apart/channel.h): adds ten, and says what it took.
PROGRAM = """#!/usr/bin/python3
import array, json, os, struct
RECORD = json.loads(@RECORD@)
MEASURED = RECORD.pop("benchmarks")

def read(size):
    parts = []
    while size:
        parts.append(os.read(3, size))
        if not parts[-1]:
            raise SystemExit
        size -= len(parts[-1])
    return b"".join(parts)

def write(data):
    while data:
        data = data[os.write(3, data):]

def say(message):
    text = json.dumps(message).encode()
    write(struct.pack("<Q", len(text)) + text)

def done(benchmarks=()):
    return {"says": "done", "record": {**RECORD, "benchmarks": list(benchmarks)}}

while True:
    asked = json.loads(read(struct.unpack("<Q", read(8))[0]))
    if asked["says"] == "hello":
        say({"says": "done", "device": "whatever it likes", "engine": "whatever it likes"})
        continue
    arrays = [read(size) for size in asked.get("workload", {}).get("initial", [])]
    if asked["says"] == "execute":
        names = [tensor["name"] for tensor in asked["workload"]["tensors"]]
        given = array.array("f", arrays[names.index("a")])
        arrays[names.index("out")] = array.array("f", [value + 10.0 - @WRONG@ for value in given]).tobytes()
        say(done([{**MEASURED[0], "launches": []}]))
        for each in arrays:
            write(each)
    else:
        say(done(MEASURED if asked["says"] == "benchmark" else []))
"""


def plain(text):
    return " ".join(text.split())


class Device(GradeTest):
    PUZZLES = ("01_map",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.root / "course.toml").write_text(COURSE)
        solution = cls.solution("01_map")
        subs = cls.root / "handed-in"
        for learner, text in (("ada", solution), ("bob", solution + "// device: wrong\n"), ("cleo", solution + "// nvcc: no\n"),
                              ("dan", solution.replace("10", "11")), ("eve", cls.skeleton("01_map"))):
            (subs / learner).mkdir(parents=True)
            (subs / learner / "p1.cu").write_text(text)
        cls.modelled = cls.grade("handed-in", "--course", "course.toml", "--out", "modelled")
        cls.make_stand_ins()
        cls.measured = cls.by_device("handed-in", "--course", "course.toml", "--out", "measured")

    @classmethod
    def make_stand_ins(cls):
        toolkit = cls.root / "toolkit"
        (toolkit / "bin").mkdir(parents=True)
        (toolkit / "driver").mkdir()
        (toolkit / "driver.cpp").write_text(DRIVER)
        subprocess.run(["c++", "-shared", "-fPIC", "-o", toolkit / "driver" / "libcuda.so.1", toolkit / "driver.cpp"], check=True)
        record = json.loads((cls.root / "modelled/reference.json").read_text())["references"][0]["record"]
        record.update(findings=[], cases=[])
        record["benchmarks"] = record["benchmarks"][-1:]
        record["benchmarks"][0].update(graph_cold_us=[4.0, 4.25, 9.0], graph_warm_us=[], host_us=[])
        (toolkit / "bin/program").write_text(PROGRAM.replace("@RECORD@", repr(json.dumps(record))))
        (toolkit / "bin/nvcc").write_text(NVCC.replace("@STATE@", str(cls.state)))
        (toolkit / "bin/nvcc").chmod(0o755)

    @classmethod
    def by_device(cls, *words):
        toolkit = cls.root / "toolkit"
        environment = {**cls.environment, "WORKBOOK_NVCC": str(toolkit / "bin/nvcc"), "LD_LIBRARY_PATH": str(toolkit / "driver")}
        done = subprocess.run(cls.command(*words, "--measured"), cwd=cls.root, env=environment, text=True, capture_output=True)
        return done.returncode, done.stdout + done.stderr

    def test_what_is_right_has_a_time_and_no_mark_has_changed(self):
        self.assertEqual(self.modelled[0], 0, self.modelled[1])
        self.assertEqual(self.measured[0], 0, self.measured[1])
        before, after = (self.rows(self.root / out) for out in ("modelled", "measured"))
        for learner, row in before.items():
            self.assertEqual({name: after[learner][name] for name in row}, row)
        times = {learner: (row["01_map-map measured_us"], row["01_map-map measured_on"]) for learner, row in after.items()}
        self.assertEqual(times, {"ada": ("4.25", "Stand-in GPU"), "bob": ("", "Stand-in GPU"), "cleo": ("", "Stand-in GPU"),
                                 "dan": ("", ""), "eve": ("", "")})
        self.assertEqual([float(after[learner]["score"]) for learner in sorted(after)], [6, 6, 6, 0, 0])

    def test_a_report_says_what_was_measured_or_why_not(self):
        out = self.root / "measured"
        self.assertIn("Measured on Stand-in GPU: 4.25 us, with cold caches; modelled were", plain(self.results_of(out, "ada")[0]["output"]))
        self.assertEqual(self.results_of(out, "ada")[0]["extra_data"]["measured_us"], 4.25)
        self.assertIn("Not measured on Stand-in GPU: it is wrong on the GPU, on 'teaching'.", plain(self.results_of(out, "bob")[0]["output"]))
        self.assertIn("Not measured on Stand-in GPU: nvcc does not take it: not today.", plain(self.results_of(out, "cleo")[0]["output"]))
        self.assertNotIn("easured", self.results_of(out, "dan")[0]["output"])
        self.assertIn("Measured times</h2>", (out / "index.html").read_text())

    def test_what_was_judged_without_a_device_gets_its_times_later(self):
        shutil.copytree(self.root / "modelled", self.root / "later")
        status, said = self.by_device("handed-in", "--course", "course.toml", "--out", "later")
        self.assertEqual(status, 0, said)
        self.assertIn("0 submissions judged, 5 already were", plain(said))
        self.assertEqual((self.root / "later/class.csv").read_bytes(), (self.root / "measured/class.csv").read_bytes())

    def test_without_a_device_nothing_changes(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("there is a device")
        status, said = self.grade("handed-in", "--course", "course.toml", "--out", "none", "--measured")
        self.assertEqual(status, 0, said)
        self.assertIn("No times are measured: This machine has no NVIDIA driver", plain(said))
        for name in ("class.csv", "junit.xml", "index.html", "results/ada/results.json", "results/ada/graded.json"):
            self.assertEqual((self.root / "none" / name).read_bytes(), (self.root / "modelled" / name).read_bytes())

    def test_a_cluster_that_is_asked_for_devices_is_asked_for_their_times(self):
        for flags, asked in (('["--gres=gpu:1"]', True), ('["--gpus-per-task=1"]', True), ('["--time=10"]', False)):
            (self.root / "cluster.toml").write_text(COURSE + f"[slurm]\nflags = {flags}\n")
            status, said = self.grade("handed-in", "--course", "cluster.toml", "--slurm", "--dry-run")
            self.assertEqual((status, " --measured" in said), (0, asked), said)


if __name__ == "__main__":
    if not shutil.which("c++"):
        sys.exit(77)
    unittest.main()
