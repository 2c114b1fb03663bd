#!/usr/bin/env python3
"""A class that nobody taught: solutions, mutants, skeletons, what does not compile, what attacks, what cannot be read, in
folders, zip and tar files. The same count gives the same class.

    synthetic.py FOLDER COUNT [--course FILE]    COUNT submissions into FOLDER, and a course file for them
"""
import argparse
import io
import pathlib
import random
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
COURSE = """name = "A synthetic class"
seed = 20
[limits]
compile_s = 15
run_s = 4
memory_mb = 1024
host_code = true
[slurm]
chunk = {chunk}
workers = 1
[[task]]
puzzle = 1
points = 5
[[task]]
puzzle = 3
points = 3
[[task]]
puzzle = 22
variant = "fused"
points = 10
bonus = true
ratio = {{ of = "bytes", points = 2, full = 1.2, none = 3.0 }}
"""
# Who hands in what, in a hundred: of puzzle 1; the others' files are of the first three kinds.
KINDS = (("solution", 42), ("mutant", 36), ("skeleton", 8), ("broken", 5), ("hostile", 6), ("unreadable", 3))
PUZZLES = (("01_map", 100), ("03_guards", 50), ("22_layernorm_linear", 5))
# Attacks that are ended by something else than a limit, and few that are.
ATTACKS = ("exits_0", "forged_answers", "forged_descriptors", "forged_report", "fork_bomb", "incbin_passwd", "include_solution",
           "network", "own_main", "prints_a_record", "shapes_by_heart", "shell", "signals", "spins_for_ever", "traces_parent")


def solution(name):
    return (REPOSITORY / "solutions" / name / "kernels.cu").read_text()


def edited(lines, old, new):
    """The lines with one place replaced, which may be indented otherwise; None where it is not there."""
    plain = [line.strip() for line in lines]
    old = [line.strip() for line in old]
    for at in range(len(lines) - len(old) + 1):
        if old and plain[at:at + len(old)] == old:
            return [*lines[:at], *new, *lines[at + len(old):]]
    return None


def mutants(name):
    """Texts of those mutants of a puzzle that edit one place, or several one after the other."""
    for section in re.split(r"^## ", (REPOSITORY / "puzzles" / name / "mutants.md").read_text(), flags=re.M)[1:]:
        diff = re.search(r"^```diff\n(.*?)^```", section, re.M | re.S)
        lines = solution(name).split("\n")
        for edit in re.finditer(r"((?:^-.*\n)+)((?:^\+.*\n)*)", diff[1] if diff else "", re.M):
            old, new = ([line[2:] for line in part.splitlines()] for part in edit.groups())
            lines = lines and edited(lines, old, new)
        if diff and lines:
            yield "\n".join(lines)


class Author:
    """Writes submissions, each by its own number alone."""

    def __init__(self, copies=0.15):
        self.copies = copies  # the share of files that somebody else may have handed in word for word
        self.mutants = {name: list(mutants(name)) for name, _ in PUZZLES}

    def file_of(self, name, kind, draw, learner):
        if kind == "skeleton":
            return (REPOSITORY / "puzzles" / name / "kernels.cu").read_text()
        if kind == "hostile":
            text = (HERE / "attacks" / (draw.choice(ATTACKS) + ".cu")).read_text()
            return re.sub("@(ROOT|STATE|OUT|ETC)@", "/etc", text)
        text = draw.choice(self.mutants[name]) if kind == "mutant" else solution(name)
        if kind == "broken":
            text = text.replace(";", "", 1) + "\nint left_open(\n"
        return text if draw.random() < self.copies else f"{text}\n// {learner}\n"

    def submission(self, number):
        """Its kind, and its files by name."""
        draw = random.Random(1000 + number)
        kind = draw.choices([kind for kind, _ in KINDS], [share for _, share in KINDS])[0]
        learner = f"learner-{number:03}"
        files = {}
        for name, share in PUZZLES:
            if draw.random() * 100 < share:
                own = kind if name == "01_map" else draw.choice(("solution", "mutant", "skeleton"))
                files[f"puzzles/{name}/kernels.cu"] = self.file_of(name, own, draw, learner) if own != "unreadable" else ""
        return kind, learner, files


def write_submission(folder, number, kind, learner, files):
    form = ("folder", "zip", "tar")[number % 3]
    if kind == "unreadable":
        if form == "folder":
            (folder / learner).mkdir()
        else:
            (folder / f"{learner}.{'zip' if form == 'zip' else 'tar.gz'}").write_bytes(b"PK\3\4 and no more")
    elif form == "folder":
        for name, text in files.items():
            (folder / learner / name).parent.mkdir(parents=True)
            (folder / learner / name).write_text(text)
    elif form == "zip":
        with zipfile.ZipFile(folder / f"{learner}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(name, text)
    else:
        with tarfile.open(folder / f"{learner}.tar.gz", "w:gz") as archive:
            for name, text in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(text.encode())
                archive.addfile(entry, io.BytesIO(text.encode()))


def write_class(folder, count):
    folder.mkdir(parents=True)
    author = Author()
    for number in range(count):
        write_submission(folder, number, *author.submission(number))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--course", type=pathlib.Path)
    words = parser.parse_args()
    write_class(words.folder, words.count)
    if words.course:
        words.course.write_text(COURSE.format(chunk=30))
