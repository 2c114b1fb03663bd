"""What a class handed in, in every form; marks that depend on nothing but that; runs that were ended."""
import contextlib
import io
import json
import os
import pathlib
import signal
import subprocess
import tarfile
import time
import unittest
import xml.etree.ElementTree
import zipfile

from course import HERE, REPOSITORY, GradeTest, edited

COURSE = """
name = "Three puzzles"
seed = 20
[[task]]
puzzle = 1
points = 5
deadline = "week 1"
[[task]]
puzzle = 3
points = 2
[[task]]
puzzle = "layernorm_linear"
variant = "fused"
points = 10
bonus = true
ratio = { of = "bytes", points = 2, full = 1.2, none = 3.0 }
"""


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def tarred(path, files, add=lambda archive: None):
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
        add(archive)


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def plain(text):
    return " ".join(text.split())


class Class(GradeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.root / "course.toml").write_text(COURSE)
        subs = cls.subs = cls.root / "handed-in"
        map_, guards, fused = (cls.solution(name) for name in ("01_map", "03_guards", "22_layernorm_linear"))
        by_index = edited(map_, "const int i = blockIdx.x * blockDim.x + threadIdx.x;", "const int i = threadIdx.x;")
        # A whole checkout, whose solutions are not the learner's work.
        put(subs / "ada" / "puzzles" / "01_map" / "kernels.cu", map_)
        put(subs / "ada" / "puzzles" / "03_guards" / "kernels.cu", guards)
        put(subs / "ada" / "puzzles" / "22_layernorm_linear" / "kernels.cu", cls.skeleton("22_layernorm_linear"))
        put(subs / "ada" / "solutions" / "22_layernorm_linear" / "kernels.cu", fused)
        zipped(subs / "bob, jr.zip", {"work/puzzle01/kernels.cu": by_index, "work/puzzle03/kernels.cu": guards})
        tarred(subs / "=cleo.tar.gz", {"22/kernels.cu": fused, "1/kernels.cu": map_ + "\nint broken"})
        put(subs / "dan" / "p1.cu", map_)
        put(subs / "no-source.txt", "not a submission")
        (subs / "empty").mkdir()
        # Archives that would like to be elsewhere.
        zipped(subs / "out.zip", {"../../puzzles/01_map/kernels.cu": "overwritten", "1/kernels.cu": map_})
        zipped(subs / "bomb.zip", {"zeros.bin": "\0" * 300_000_000, "1/kernels.cu": map_})

        def links(archive):
            for name, kind, target in (("1/kernels.cu", tarfile.SYMTYPE, "/etc/passwd"), ("3/kernels.cu", tarfile.LNKTYPE, "/etc/passwd"),
                                       ("22/kernels.cu", tarfile.CHRTYPE, ""), ("p1/kernels.cu", tarfile.FIFOTYPE, "")):
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = kind, target
                archive.addfile(entry)

        tarred(subs / "links.tgz", {"readme.h": ""}, links)
        put(subs / "damaged.zip", "PK\3\4 and no more")
        zipped(subs / "Zoë.zip", {"üben/01_map/kernels.cu": map_})
        cls.out = cls.root / "grades"
        cls.said = cls.grade(subs, "--course", "course.toml", "--out", cls.out)

    def test_every_form_of_submission_gets_its_marks(self):
        status, said = self.said
        self.assertEqual(status, 0, said)
        rows = self.rows(self.out)
        scores = {learner: float(row["score"]) for learner, row in rows.items()}
        self.assertEqual(scores, {"ada": 9, "bob, jr": 4, "'=cleo": 12, "dan": 5, "empty": 0, "out": 0, "bomb": 0, "links": 0, "damaged": 0, "Zoë": 5})
        self.assertEqual({row["most"] for row in rows.values()}, {"9"})
        self.assertEqual(rows["ada"]["22_layernorm_linear-fused verdict"], "not_filled")
        self.assertEqual(rows["'=cleo"]["01_map-map verdict"], "does_not_compile")
        self.assertEqual(rows["bob, jr"]["01_map-map mistake"], "thread_index_only")
        self.assertIn("leads out of it", rows["out"]["trouble"])
        self.assertIn("more than 256 MB", rows["bomb"]["trouble"])
        self.assertIn("damaged", rows["damaged"]["trouble"])
        self.assertEqual(self.solution("01_map"), (self.root / "solutions/01_map/kernels.cu").read_text())

    def test_a_report_is_in_the_words_of_run(self):
        folder = next((self.out / "results").glob("bob*"))
        results = json.loads((folder / "results.json").read_text())
        self.assertEqual(results["score"], 4)
        test = results["tests"][0]
        self.assertEqual((test["name"], test["score"], test["max_score"], test["status"], test["visibility"]),
                         ("01 Map --map", 0, 5, "failed", "visible"))
        self.assertIn("INCORRECT puzzle 01 --map: wrong elements on", plain(test["output"]))
        self.assertIn("Diagnosis:", test["output"])
        self.assertNotIn(str(self.root), json.dumps(results))
        by_ratio = json.loads(next((self.out / "results").glob("*cleo*")).joinpath("results.json").read_text())["tests"][3]
        self.assertIn("By bytes: 1.00 times the reference solution's, 2 of 2 points.", plain(by_ratio["output"]))

    def test_the_class_has_a_table_junit_and_a_page(self):
        suites = xml.etree.ElementTree.parse(self.out / "junit.xml").getroot()
        self.assertEqual((len(suites), suites.get("tests")), (10, "40"))
        page = (self.out / "index.html").read_text()
        self.assertFalse("http" in page)
        self.assertTrue("thread index only" in page)
        self.assertTrue("<svg" in page)
        for i in range(1, 11):
            self.assertEqual(page.count(f'id="report-{i}-1"'), 1)
            self.assertTrue(f'href="#report-{i}-1"' in page)

    def test_what_was_graded_is_not_graded_again(self):
        status, said = self.grade(self.subs, "--course", "course.toml", "--out", self.out)
        self.assertEqual(status, 0, said)
        self.assertIn("0 submissions judged, 10 already were", plain(said))
        done = subprocess.run(self.command(self.subs, "--course", "course.toml", "--out", self.out, "--json"), cwd=self.root,
                              env=self.environment, text=True, capture_output=True)
        marks = {entry["learner"]: entry["score"] for entry in json.loads(done.stdout)}
        self.assertEqual((len(marks), marks["ada"], marks["dan"]), (10, 9, 5))

    def test_killed_and_in_another_order_the_marks_are_the_same(self):
        once = (self.out / "class.csv").read_bytes()
        out = self.root / "again"
        words = [*sorted(self.subs.glob("[!n]*"), reverse=True), "--course", "course.toml", "--out", out, "--jobs", 1]
        for done in (1, 4):
            with subprocess.Popen(self.command(*words), cwd=self.root, env=self.environment, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                while process.poll() is None and len(list(out.glob("results/*/graded.json"))) < done:
                    time.sleep(0.01)
                process.send_signal(signal.SIGKILL)
        self.assertFalse((out / "class.csv").exists())
        kept = len(list(out.glob("results/*/graded.json")))
        self.assertGreaterEqual(kept, 4)
        status, said = self.grade(*words)
        self.assertEqual(status, 0, said)
        self.assertIn(f"{10 - kept} submissions judged, {kept} already were", plain(said).replace("1 submission ", "1 submissions "))
        self.assertEqual((out / "class.csv").read_bytes(), once)
        self.assertEqual((out / "index.html").read_bytes(), (self.out / "index.html").read_bytes())

    def test_a_cluster_is_shown_its_job_and_asked_for_politely(self):
        (self.root / "cluster.toml").write_text(COURSE + '[slurm]\npartition = "short"\nflags = ["--time=10"]\nchunk = 4\nworkers = 3\n')
        words = (self.subs, "--course", "cluster.toml", "--out", "it's", "--slurm")
        status, said = self.grade(*words, "--dry-run")
        self.assertEqual(status, 0, said)
        for line in ("#SBATCH --array=0-2", "#SBATCH --cpus-per-task=3", "#SBATCH --mem=15360M", "#SBATCH --partition=short", "#SBATCH --time=10"):
            self.assertIn(line + "\n", said)
        self.assertEqual(subprocess.run(["bash", "-n"], input=said, text=True).returncode, 0)
        self.assertFalse((self.root / "it's").exists())
        self.assertEqual(subprocess.run(["bash", "-c", said.split("workbook=")[0] + "printf %s \"$out\""], text=True, capture_output=True).stdout,
                         str(self.root / "it's"))
        done = subprocess.run(self.command(*words), cwd=self.root, env={**self.environment, "PATH": "/nowhere"}, text=True, capture_output=True)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("There is no sbatch here", plain(done.stderr))
        status, said = self.grade(self.subs, "--slurm", "--dry-run")  # which needs no sbatch
        self.assertEqual((status, "--slurm wants a course file" in plain(said)), (2, True), said)

    def test_what_is_ended_from_outside_is_no_result(self):
        (self.root / "short.toml").write_text("[limits]\nrun_s = 8\nhost_code = true\n[[task]]\npuzzle = 1\n")
        put(self.root / "spins" / "eve.cu", (HERE / "attacks" / "spins_for_ever.cu").read_text())
        out = self.root / "ended"
        words = ("spins", "--course", "short.toml", "--out", out)
        for number, status in ((signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, 0)):
            with subprocess.Popen(self.command(*words), cwd=self.root, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                try:
                    while not (spinning := self.kernels_at_work()):
                        self.assertIsNone(process.poll())
                        time.sleep(0.01)
                    if number == signal.SIGTERM:
                        process.send_signal(number)
                    else:
                        for each in spinning:
                            with contextlib.suppress(ProcessLookupError):  # the first of a sandbox takes the others with it
                                os.kill(each, number)
                    self.assertEqual(process.wait(), status)
                finally:
                    process.kill()
            if number == signal.SIGTERM:
                self.assertFalse((out / "results").exists())
        self.assertEqual(self.rows(out)["eve"]["01_map-map verdict"], "timed_out")

    def kernels_at_work(self):
        """Programs of submissions, as their sandboxes call them; the reference solution's come before."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().split(b"\0")[0].decode()
            except OSError:
                continue
            if command.startswith(str(self.state)) and command.endswith("/child") and (self.root / "ended" / "reference.json").exists():
                found.append(int(folder.name))
        return found

    def test_another_seed_is_another_key_and_says_so(self):
        one = self.root / "one"
        for seed, judged in ((3, "1 submission judged."), (3, "0 submissions judged"), (4, "1 submission judged.")):
            status, said = self.grade(self.subs / "dan", "--out", one, "--seed", seed)
            self.assertEqual(status, 0, said)
            self.assertIn(judged, plain(said))

    def test_check_says_what_a_course_means(self):
        (self.root / "small.toml").write_text('[[task]]\npuzzle = 1\npoints = 3\n')
        status, said = self.grade("--check", "small.toml")
        self.assertEqual(status, 0, said)
        self.assertIn("3 points", said)
        self.assertRegex(said, r"the solution +correct +3 of 3")
        self.assertRegex(said, r"the skeleton +not filled +0 of 3")
        self.assertEqual(len([line for line in said.splitlines() if line.startswith("01 --map") and " 0 of 3" in line]), 4)

    def test_a_course_file_is_refused_with_its_line(self):
        for text, words in (("[[task]]\npuzle = 1\n", "course.toml:2: there is no key 'puzle' here. Did you mean 'puzzle'?"),
                            ("[[task]]\npuzzle = 99\n", ":2: There is no puzzle '99'."),
                            ("[[task]]\npuzzle = 22\nvariant = \"fusd\"\n", "Did you mean '--fused'?"),
                            ("[[task]]\npuzzle = 1\npoints = -1\n", ":3: 'points' cannot be below 0."),
                            ("[[task]]\npuzzle = 1\n[[task]]\npuzzle = 1\n", "is graded twice"),
                            ("[[task]]\npuzzle = 1\nratio = { of = \"tme\" }\n", "Did you mean 'time'?"),
                            ("[slurm]\nchunk = 0\n", ":2: 'chunk' is at least 1."), ("[slurm]\nflags = [\"time\"]\n", ":2: a flag of sbatch is a text"),
                            ("[slurm]\nnodes = 3\n", ":2: there is no key 'nodes' here."),
                            ("[slurm]\nworkers = 33\n", ":2: 'workers' is at most 32."),
                            ("[slurm]\npartition = \"a b\"\n", ":2: the name of a partition has no spaces."),
                            ("[limits]\nrun_s = 1.5\n", ":2: 'run_s' is to be a whole number."),
                            ("[limits]\ncompile_s = 99999999999\n", ":2: 'compile_s' is at most 86400."),
                            ("[limits]\nhost_code = \"yes\"\n", ":2: 'host_code' is to be true or false."),
                            ("name = 3\n", ":1: 'name' is to be a text."), ("gpu = \"h20\"\n", ":1: there is no model of a GPU 'h20'. Did you mean"),
                            ("seed = -1\n", ":1: 'seed' is at least 0."), ("limits = 3\n", ":1: limits are a table"),
                            ("[[task]]\npuzzle = 1\npoints = \"2\"\n", ":3: 'points' is to be a number."),
                            ("[[task]]\npuzzle = 1\npoints = nan\n", ":3: 'points' is to be a number."),
                            ("[[task]]\npuzzle = 1.5\n", ":2: a puzzle is a number, or its name."),
                            ("[[task]]\npoints = 2\n", ":1: a task names its puzzle"),
                            ("[[task]]\npuzzle = 1\nvariants = []\n", ":3: 'variants' is empty"),
                            ("[[task]]\npuzzle = 1\npuzzle = 2\n", ":3:"), ("task = 3\n", ":1: each task is a table"),
                            ("task = [1]\n", ":1: a task is a table"),
                            ("[[task]\n", "course.toml:1:"), ("name = \"x\"\n", "there is no task")):
            with self.subTest(text=text):
                (self.root / "bad").mkdir(exist_ok=True)
                (self.root / "bad" / "course.toml").write_text(text)
                status, said = self.grade("--check", "bad/course.toml")
                self.assertEqual(status, 2, said)
                self.assertIn(words, plain(said))

    def test_the_course_of_the_book_is_one(self):
        chapter = (REPOSITORY / "book" / "chapters" / "teaching.md").read_text()
        text = chapter.split("```toml\n")[1].split("```")[0]
        (self.root / "twelve.toml").write_text(text + "\n[[task]]\npuzle = 1\n")
        last = text.count("\n") + 3
        done = subprocess.run(self.command("--check", self.root / "twelve.toml"), cwd=REPOSITORY, text=True, capture_output=True,
                              env={**self.environment, "WORKBOOK_ROOT": str(REPOSITORY)})
        self.assertIn(f"twelve.toml:{last}: there is no key 'puzle' here.", plain(done.stderr))  # all before it was read

    def test_two_submissions_of_one_name_are_refused(self):
        put(self.root / "twice" / "eve" / "p1.cu", "")
        zipped(self.root / "twice" / "eve.zip", {})
        status, said = self.grade(self.root / "twice", "--course", "course.toml")
        self.assertEqual(status, 2)
        self.assertIn("Two submissions are eve's", plain(said))


if __name__ == "__main__":
    unittest.main()
