"""A repository of three puzzles to grade in, and what tests ask of `workbook grade`."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
PUZZLES = ("01_map", "03_guards", "22_layernorm_linear")


class GradeTest(unittest.TestCase):
    PUZZLES = PUZZLES

    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="workbook-grade-"))
        for folder in ("puzzles", "solutions"):
            for name in cls.PUZZLES:
                shutil.copytree(REPOSITORY / folder / name, cls.root / folder / name)
        cls.state = cls.root / "state"
        cls.state.mkdir()
        if cache := os.environ.get("WORKBOOK_TEST_CACHE"):
            pathlib.Path(cache).mkdir(parents=True, exist_ok=True)
            (cls.state / "cache").symlink_to(cache)
        cls.environment = {**os.environ, "WORKBOOK_ROOT": str(cls.root), "WORKBOOK_STATE": str(cls.state), "NO_COLOR": "1"}
        cls.environment.pop("WORKBOOK_LAUNCHED", None)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.root, ignore_errors=True)

    @classmethod
    def command(cls, *words):
        return [os.environ["WORKBOOK_GRADE"], "grade", *map(str, words)]

    @classmethod
    def grade(cls, *words):
        """Status, and all that was said."""
        done = subprocess.run(cls.command(*words), cwd=cls.root, env=cls.environment, text=True, capture_output=True)
        return done.returncode, done.stdout + done.stderr

    @classmethod
    def solution(cls, name, file="kernels.cu"):
        return (cls.root / "solutions" / name / file).read_text()

    @classmethod
    def skeleton(cls, name):
        return (cls.root / "puzzles" / name / "kernels.cu").read_text()

    @staticmethod
    def rows(out):
        with open(out / "class.csv", newline="") as file:
            return {row["learner"]: row for row in csv.DictReader(file)}

    @staticmethod
    def results_of(out, learner):
        return json.loads((out / "results" / learner / "results.json").read_text())["tests"]


def edited(text, old, new):
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the solution"
    return text.replace(old, new)
