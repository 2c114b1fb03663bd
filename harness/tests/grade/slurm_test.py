"""A class judged by the nodes of a cluster (cluster.py): the same files as without, whatever becomes of tasks and nodes."""
import shutil
import signal
import subprocess
import sys
import unittest

import cluster
import synthetic
from course import HERE, GradeTest

COURSE = """seed = 20
[limits]
compile_s = 15
run_s = 2
memory_mb = 1024
host_code = true
[slurm]
chunk = {chunk}
workers = 1
{more}
[[task]]
puzzle = 1
points = 5
"""
COUNT = 40
FILES = ("class.csv", "junit.xml", "index.html", "reference.json")


def plain(text):
    return " ".join(text.split())


class Slurm(GradeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.blind = cls.root / "blind"
        cls.blind.mkdir()
        cls.addClassCleanup(lambda: shutil.rmtree(cls.root, ignore_errors=True))
        cls.cluster = cluster.Cluster(cls.root / "cluster", {"class": ["n1", "n2"], "blind": ["n3"]}, {"n3": cls.blind})
        cls.addClassCleanup(cls.end)
        cls.environment = {**cls.environment, **{name: cls.cluster.environment[name] for name in ("PATH", "SLURM_CONF")},
                           "TMPDIR": str(cls.folder("scratch"))}
        for number in range(COUNT - 1):
            synthetic.write_submission(cls.folder("handed-in"), number, *cls.written(number))
        cls.put("handed-in/runaway.cu", (HERE / "attacks" / "spins_for_ever.cu").read_text())
        for name in ("a", "b", "c", "d"):
            cls.put(f"four/{name}.cu", cls.solution("01_map"))
        cls.status, cls.said = cls.grade("handed-in", "--course", cls.course("course"), "--out", "alone")
        cls.grade("four", "--course", "course.toml", "--out", "four-alone")

    @classmethod
    def tearDownClass(cls):  # what was started ends first
        pass

    @classmethod
    def end(cls):
        cls.cluster.stop()
        cluster.until("nothing is left of the cluster", lambda: not cls.cluster.processes())

    author = synthetic.Author(copies=1)  # a processor is dear here

    @classmethod
    def written(cls, number):
        kind, learner, files = cls.author.submission(number)
        return kind, learner, {name: text for name, text in files.items() if "01_map" in name}

    @classmethod
    def folder(cls, name):
        (cls.root / name).mkdir(exist_ok=True)
        return cls.root / name

    @classmethod
    def put(cls, name, text):
        (cls.root / name).parent.mkdir(exist_ok=True)
        (cls.root / name).write_text(text)

    @classmethod
    def course(cls, name, chunk=8, more=""):
        cls.put(f"{name}.toml", COURSE.format(chunk=chunk, more=more))
        return f"{name}.toml"

    def by_slurm(self, subs, out, *more):
        return self.grade(subs, "--out", self.reference_in(out), "--slurm", *more)

    def reference_in(self, out):
        """What the reference took, as it is: it is judged once for all of these."""
        if not (self.root / out / "reference.json").exists():
            shutil.copy(self.root / "alone" / "reference.json", self.folder(out))
        return out

    def begin(self, *words):
        return subprocess.Popen(self.command(*words, "--slurm"), cwd=self.root, env=self.environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def done(self, out):
        return {file.parent.name: file.stat().st_mtime_ns for file in (self.root / out).glob("results/*/graded.json")}

    def assert_same(self, out, other):
        for name in FILES:
            self.assertEqual((self.root / out / name).read_bytes(), (self.root / other / name).read_bytes(), name)
        for file in (self.root / other / "results").glob("*/*.json"):
            self.assertEqual((self.root / out / "results" / file.parent.name / file.name).read_bytes(), file.read_bytes())

    def test_marks_are_the_same_when_a_task_is_killed_and_a_node_dies(self):
        self.assertEqual(self.status, 0, self.said)
        rows = self.rows(self.root / "alone")
        self.assertEqual((len(rows), rows["runaway"]["01_map-map verdict"]), (COUNT, "timed_out"))
        out = self.reference_in("killed")
        with self.begin("handed-in", "--course", "course.toml", "--out", out) as process:
            try:
                running = lambda node: [job for job, state, on in self.cluster.queue() if (state, on) == ("RUNNING", node)]
                cluster.until("both nodes judge", lambda: len(self.done(out)) >= 6 and running("n1") and running("n2") and self.cluster.tasks("n2"))
                killed = running("n1")[0]
                cluster.kill(self.cluster.tasks("n1"))
                self.cluster.fail("n2")
                before = self.done(out)
                said = process.communicate()[0]
            finally:
                process.kill()
        self.assertEqual(process.returncode, 0, said)
        self.assert_same(out, "alone")
        self.assertEqual(before, {name: time for name, time in self.done(out).items() if name in before})  # none was judged again
        self.assertIn(f"Task {killed.split('_')[1]} of job {killed.split('_')[0]} ended as FAILED on n1", plain(said))
        self.assertIn("taken up again", plain(said))
        self.assertIn(f"{COUNT} submissions judged.", plain(said))

    def test_a_call_that_is_interrupted_leaves_the_job_and_the_next_waits_for_it(self):
        words = ("four", "--course", self.course("ones", chunk=1), "--out", self.reference_in("interrupted"))
        with self.begin(*words) as process:
            try:
                cluster.until("the job runs", lambda: self.cluster.queue() and (self.root / "interrupted/slurm/job").exists())
                process.send_signal(signal.SIGINT)
                said = process.communicate()[0]
            finally:
                process.kill()
        self.assertEqual(process.returncode, -signal.SIGINT, said)
        self.assertIn("goes on without this command", plain(said))
        status, other = self.by_slurm("four", "interrupted", "--course", self.course("other", chunk=1, more='account = "x"'))
        self.assertEqual(status, 2, other)
        self.assertIn("with another course file or seed", plain(other))
        status, again = self.grade(*words, "--slurm")
        self.assertEqual(status, 0, again)
        self.assertIn("still works on this class: waiting for it", plain(again))
        self.assertEqual(again.count("submissions in"), 0, again)  # no other job
        self.assert_same("interrupted", "four-alone")

    def test_what_has_no_result_after_the_last_try_is_named(self):
        status, said = self.by_slurm("four", "lost", "--course", self.course("lost", chunk=2, more='tries = 2\nflags = ["--export=PATH=/nowhere"]'))
        self.assertEqual(status, 5, said)
        self.assertIn("After 2 jobs 4 submissions have no result: a, b, c, d.", plain(said))
        self.assertIn("4 submissions in 2 chunks.", plain(said))
        self.assertIn("4 submissions in 4 chunks.", plain(said))  # each by itself at last
        self.assertIn("mkdir", plain(said))  # the end of a log
        self.assertFalse((self.root / "lost" / "class.csv").exists())
        status, said = self.grade("four", "--course", "course.toml", "--out", "lost")
        self.assertEqual(status, 0, said)
        self.assert_same("lost", "four-alone")

    def test_a_job_that_somebody_cancelled_is_not_handed_in_again(self):
        with self.begin("four", "--course", self.course("later", chunk=2, more='flags = ["--begin=now+600"]'), "--out", self.reference_in("cancelled")) as process:
            try:
                cluster.until("the job waits", lambda: (self.root / "cancelled/slurm/job").exists())
                self.cluster.ask("scancel", (self.root / "cancelled/slurm/job").read_text().split()[0])
                said = process.communicate()[0]
            finally:
                process.kill()
        self.assertEqual(process.returncode, 5, said)
        self.assertIn("was cancelled. 4 submissions have no result yet; the same command goes on.", plain(said))

    def test_nodes_that_do_not_see_the_folder_are_told_apart(self):
        status, said = self.by_slurm("four", "blind", "--course", self.course("unseen", more='partition = "blind"'))
        self.assertEqual(status, 5, said)
        self.assertIn("ran on n3 and left nothing in", plain(said))
        self.assertNotIn("taken up again", said)

    def test_what_the_cluster_refuses_is_said_in_its_words(self):
        for more, words in (('partition = "gpus"', ("invalid partition specified: gpus", "Partitions of this cluster: blind, class.")),
                            ('flags = ["--gres=gpu:1"]', ("Invalid generic resource",))):
            with self.subTest(more=more):
                status, said = self.by_slurm("four", "refused", "--course", self.course("refused", more=more))
                self.assertEqual(status, 2, said)
                for each in words:
                    self.assertIn(each, plain(said))


if __name__ == "__main__":
    if gone := cluster.missing():
        print(f"skipped: there is no {', '.join(gone)}; `cmake/setup.sh cluster` installs SLURM")
        sys.exit(77)
    unittest.main()
