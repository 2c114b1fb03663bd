#!/usr/bin/env python3
"""What it costs to grade a class, and that its marks depend on nothing but it: a synthetic class (harness/tests/grade/synthetic.py)
graded undisturbed, killed three times and resumed, in reverse order beside busy loops, and by a SLURM cluster on this machine's
loopback. Every file of the results has to be the same, byte for byte. `harness/bench/results/grade.md` is written by it.

    harness/bench/grade.py [--count 300] [--jobs 2] [--runs alone,killed,reversed,slurm] [--work FOLDER] [--out FILE]

Processor seconds are those of everything that was started, which this process is the last parent of; memory is what processes have
for themselves (RssAnon), looked at ten times a second.
"""
import argparse
import collections
import ctypes
import os
import pathlib
import platform
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "harness/tests/grade"))
import cluster  # noqa: E402
import synthetic  # noqa: E402

FILES = ("class.csv", "junit.xml", "index.html")
KILLS = (0.2, 0.45, 0.7)  # of the class
BUSY_LOOPS = 4
PR_SET_CHILD_SUBREAPER = 36


def family():
    """Process ids below this one."""
    children = collections.defaultdict(list)
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        if parent := cluster.parent_of(folder.name):
            children[parent].append(int(folder.name))
    found, todo = [], [os.getpid()]
    while todo:
        found += (more := children[todo.pop()])
        todo += more
    return found


def own_memory(process):
    for line in cluster.of_process(process, "status").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def reaped():
    """(process, status) of each that has ended and has no other parent any more: only then its processor time counts."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended
    except ChildProcessError:
        pass


class Meter:
    def __init__(self):
        self.in_all = 0.0
        self.largest = collections.Counter()
        self.begun, self.before = time.monotonic(), self.used()

    @staticmethod
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def look(self, but=()):
        sizes = {process: own_memory(process) for process in family() if process not in but}
        self.in_all = max(self.in_all, sum(sizes.values()))
        for process, size in sizes.items():
            name = cluster.comm_of(process)
            self.largest[name] = max(self.largest[name], size)

    def end(self, count):
        seconds, wall = self.used() - self.before, time.monotonic() - self.begun
        name, size = self.largest.most_common(1)[0]
        return {"processor": seconds, "each": seconds / count, "wall": wall, "in all": self.in_all, "largest": f"{size:.0f} ({name})"}


class Bench:
    def __init__(self, words, work):
        self.words, self.work = words, work
        self.environment = {**os.environ, "WORKBOOK_ROOT": str(ROOT), "NO_COLOR": "1", "TMPDIR": str(work)}
        self.environment.pop("WORKBOOK_LAUNCHED", None)
        (work / "cache").mkdir(exist_ok=True)
        (work / "course.toml").write_text(synthetic.COURSE.format(chunk=30))
        if not (work / "class").exists():
            synthetic.write_class(work / "class", words.count)

    def command(self, name, *words):
        state = self.work / f"state-{name}"
        state.mkdir(exist_ok=True)
        if not (state / "cache").exists():
            (state / "cache").symlink_to(self.work / "cache")
        self.environment["WORKBOOK_STATE"] = str(state)
        program = ROOT / "build/workbook/harness/cli/workbook_grade"
        return [program, "grade", *words, "--course", "course.toml", "--out", self.work / name]

    def done(self, name):
        return len(list((self.work / name).glob("results/*/graded.json")))

    def grade(self, name, *words, meter=None, until=None, but=()):
        """To its end, or to a SIGKILL once so many have a result."""
        with open(self.work / f"{name}.said", "a") as said:
            process = subprocess.Popen(self.command(name, *words), cwd=self.work, env=self.environment, stdout=said, stderr=said)
        status = None
        while status is None:
            time.sleep(0.1)
            if meter:
                meter.look(but)
            if until and self.done(name) >= until:
                os.kill(process.pid, signal.SIGKILL)  # Popen would take its end for itself
            status = dict(reaped()).get(process.pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        if status != 0 and not until:
            sys.exit(f"{name} ended with {process.returncode}: see {said.name}")

    def references(self):
        """What is compiled once, and what the reference solutions take: none of the class's figures."""
        first = self.work / "first"
        if not first.exists():
            synthetic.write_class(first, 1)
        self.grade("warm-up", first)

    def measured(self, name, run):
        self.work.joinpath(name).mkdir(exist_ok=True)
        (self.work / name / "reference.json").write_bytes((self.work / "warm-up" / "reference.json").read_bytes())
        meter = Meter()
        run(meter)
        list(reaped())
        return meter.end(self.words.count)

    def alone(self, meter):
        self.grade("alone", "class", "--jobs", str(self.words.jobs), meter=meter)

    def killed(self, meter):
        for share in KILLS:
            self.grade("killed", "class", "--jobs", str(self.words.jobs), meter=meter, until=max(1, int(share * self.words.count)))
        self.grade("killed", "class", "--jobs", str(self.words.jobs), meter=meter)

    def reversed(self, meter):
        loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(BUSY_LOOPS)]
        before = sum(self.seconds_of(loop.pid) for loop in loops)
        try:
            paths = sorted((self.work / "class").iterdir(), reverse=True)
            self.grade("reversed", *paths, "--jobs", str(self.words.jobs), meter=meter, but=[loop.pid for loop in loops])
            meter.before += sum(self.seconds_of(loop.pid) for loop in loops) - before  # theirs are not the class's
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()

    @staticmethod
    def seconds_of(process):
        fields = cluster.of_process(process, "stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def slurm(self, meter):
        nodes = cluster.Cluster(self.work / "cluster", {"class": ["n1", "n2"]})
        self.environment.update({name: nodes.environment[name] for name in ("PATH", "SLURM_CONF")})
        try:
            self.grade("slurm", "class", "--slurm", meter=meter)
        finally:
            nodes.stop()

    def different(self, name):
        """Files that are others than the undisturbed run's."""
        one, other = self.work / "alone", self.work / name
        files = [*FILES, *(str(file.relative_to(one)) for file in one.glob("results/*/*.json"))]
        return [file for file in files if not (other / file).exists() or (one / file).read_bytes() != (other / file).read_bytes()]


TITLES = {"alone": "undisturbed", "killed": "killed three times by SIGKILL, and resumed", "reversed": f"in reverse order, beside {BUSY_LOOPS} busy loops",
          "slurm": "by SLURM: two nodes of a processor each, chunks of 30"}


def document(words, rows, different):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    lines = ["# What a class costs", "",
             f"Written by `harness/bench/grade.py`: {words.count} synthetic submissions (solutions, mutants, skeletons, what does not compile, attacks, archives "
             f"that cannot be read; folders, zip and tar files) to puzzles 1, 3 and 22 --fused, {words.jobs} judged at a time. {os.cpu_count()} cores "
             f"({model}), {platform.machine()}, load {words.load:.1f} before it began. What is compiled once, and the reference solutions, came before.", "",
             "| run | processor s | a submission | wall s | MB in all | MB, largest process | files that differ |", "|:--|--:|--:|--:|--:|--:|--:|"]
    for name, row in rows.items():
        lines.append(f"| {TITLES[name]} | {row['processor']:.0f} | {row['each']:.2f} | {row['wall']:.0f} | {row['in all']:.0f} | {row['largest']} | "
                     f"{len(different.get(name, []))} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", default="alone,killed,reversed,slurm")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    words = parser.parse_args()
    words.load = os.getloadavg()[0]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    runs = words.runs.split(",")
    if "slurm" in runs and (gone := cluster.missing()):
        print(f"bench: without SLURM ({', '.join(gone)} missing): cmake/setup.sh cluster", file=sys.stderr)
        runs.remove("slurm")
    with tempfile.TemporaryDirectory(prefix="workbook-class-") as folder:
        bench = Bench(words, (words.work or pathlib.Path(folder)).absolute())
        bench.references()
        rows = {name: bench.measured(name, getattr(bench, name)) for name in runs}
        different = {name: bench.different(name) for name in runs if name != "alone"}
    text = document(words, rows, different)
    print(text, end="")
    for name, files in different.items():
        for file in files:
            print(f"bench: {name}: {file} is another", file=sys.stderr)
    if words.out:
        words.out.write_text(text)
    return any(different.values())


if __name__ == "__main__":
    sys.exit(main())
