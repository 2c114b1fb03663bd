"""Submissions that attack whoever grades them (attacks/*.cu, with what they get in their first lines): each is refused with
words, none has an effect, and the neighbours' marks are their own."""
import re
import subprocess
import unittest
import xml.etree.ElementTree

from course import HERE, GradeTest

# attacks/*.cu hold host code, which a course has to allow: the walls behind have to hold without the one in front.
COURSE = """
name = "Attacks"
seed = 20
[limits]
compile_s = 8
run_s = 2
memory_mb = 1024
host_code = true
[[task]]
puzzle = 1
points = 5
ratio = { of = "time", points = 1 }
"""


class Attacks(GradeTest):
    FOLDER, COURSE = "attacks", COURSE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.root / "course.toml").write_text(cls.COURSE)
        subs, cls.out = cls.root / "handed-in", cls.root / "grades"
        subs.mkdir()
        cls.attacks = {file.stem: file.read_text() for file in sorted((HERE / cls.FOLDER).glob("*.cu"))}
        for name, text in cls.attacks.items():
            for word, place in (("@ROOT@", cls.root), ("@STATE@", cls.state), ("@OUT@", cls.out), ("@ETC@", "/etc"),
                                ("@NUL@", "\0"), ("@CR@", "\r"), ("@VT@", "\v")):
                text = text.replace(word, str(place))
            (subs / (name + ".cu")).write_bytes(text.encode())
        for name in ("aa_honest", "mm_honest", "zz_honest"):
            (subs / (name + ".cu")).write_text(cls.solution("01_map"))
        cls.status, cls.said = cls.grade(subs, "--course", "course.toml", "--out", cls.out)

    def test_each_attack_gets_what_its_kernel_is_worth(self):
        self.assertEqual(self.status, 0, self.said)
        for name, text in self.attacks.items():
            with self.subTest(attack=name):
                points = float(re.search(r"^// points: (\d)", text, re.M)[1])
                says = re.search(r"^// says: (.*)", text, re.M)[1]
                test = self.results_of(self.out, name)[0]
                self.assertEqual(test["score"], points, test["output"])
                self.assertRegex(" ".join(test["output"].split()), says)
                self.assertNotIn("SUCCEEDED", test["output"])

    def test_neighbours_have_all_their_points(self):
        for name in ("aa_honest", "mm_honest", "zz_honest"):
            self.assertEqual(self.results_of(self.out, name)[0]["score"], 6)

    def test_nothing_is_left_anywhere(self):
        for folder in ("puzzles", "solutions"):
            for file in (HERE.parents[2] / folder / "01_map").iterdir():
                self.assertEqual((self.root / folder / "01_map" / file.name).read_bytes(), file.read_bytes())
        self.assertFalse(any((self.root / place / "left").exists() for place in ("", "state", "grades")))
        self.assertEqual(sorted(path.name for path in self.root.iterdir()),
                         ["course.toml", "grades", "handed-in", "puzzles", "solutions", "state"])

    def test_what_an_attack_prints_is_text_in_the_page(self):
        page = (self.out / "index.html").read_text()
        self.assertNotIn("<script>", page)
        self.assertNotIn("\033", page)
        self.assertEqual(len(xml.etree.ElementTree.parse(self.out / "junit.xml").getroot()), len(self.attacks) + 3)


class HostCode(Attacks):
    """As a course is by default: code that could reach around the simulator is refused before it runs."""
    FOLDER, COURSE = "attacks/strict", COURSE.replace("host_code = true\n", "")


class Unbounded(GradeTest):
    """Where no control group can be had, memory is watched all the same, and it is said once."""

    def test_memory_is_watched_where_it_is_not_bounded(self):
        (self.root / "course.toml").write_text(COURSE)
        (self.root / "none").mkdir()
        for name in ("memory_40_gb", "threads"):
            (self.root / "sub" / name).mkdir(parents=True)
            (self.root / "sub" / name / "p1.cu").write_text((HERE / "attacks" / f"{name}.cu").read_text())
        self.environment = {**self.environment, "WORKBOOK_CGROUPS": str(self.root / "none")}
        done = subprocess.run(self.command("sub", "--course", "course.toml", "--out", "grades"), cwd=self.root, env=self.environment,
                              text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(" ".join(done.stderr.split()).count("there is no control group that this user may divide"), 1)
        for name in ("memory_40_gb", "threads"):
            test = self.results_of(self.root / "grades", name)[0]
            self.assertEqual(test["score"], 0)
            self.assertRegex(test["output"], "memory|no end|SIG")


if __name__ == "__main__":
    unittest.main()
