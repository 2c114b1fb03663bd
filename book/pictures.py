#!/usr/bin/env python3
"""Draws the pictures of the book and of the README with the viewer, off screen; those that are up to date stay.

Usage: book/pictures.py [--viewer PROGRAM] [--workbook PROGRAM] [NN ...]     (all chapters unless some are named)
       book/pictures.py --keep RUNS.sqlite NN     takes all solutions' runs of a puzzle from who has made them anyway
       book/pictures.py --readme                  puts what is drawn for the README into book/figures/readme, to be committed

book/figures/NN_name.txt lists those of a chapter, readme.txt those of the README, one a line:
  NAME PANEL [options of the viewer]    a picture; NAME begins with the number of the puzzle. The runs are the solution's, unless
                                        --origin MISTAKE or --measured (book/data/h200) says otherwise. Without --theme it is drawn
                                        light and dark
  mistake: NAME --VARIANT               a mutant that is run as well, for --origin NAME
  run: WORDS                            a further command of workbook, before the pictures are drawn
The pictures lie in build/book/pictures as NAME_light.png and NAME_dark.png, the runs in build/book/runs. Each is kept with a hash of
what it comes from. A picture that cannot be drawn is said, the others are drawn, and the status is 1. Where nothing can be drawn
because something is missing on this machine, that is said here and on the pages, and the status is 3. Standard library only.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

BOOK = Path(__file__).resolve().parent
ROOT = BOOK.parent
PICTURES = ROOT / "build" / "book" / "pictures"
README = BOOK / "figures" / "readme"
PROBLEM = PICTURES / "problem.txt"  # why they are not drawn, for the pages
RUNS = ROOT / "build" / "book" / "runs"
BUILD = ROOT / "build" / "workbook"
# At a size that reads well in a column of text; a line's own options come later and win.
FRAME = ("--size", "1320x900", "--scale", "1.5")
# What runs do not come from.
OTHER_ROOMS = {"tests", "bench", "gpu", "optimizer", "python"}


@dataclasses.dataclass(frozen=True)
class Picture:
    name: str
    panel: str
    options: tuple[str, ...]

    def option(self, name: str) -> str | None:
        return self.options[self.options.index(name) + 1] if name in self.options else None

    @property
    def files(self) -> dict[str, str]:
        """Each file with its theme."""
        themes = [theme] if (theme := self.option("--theme")) else ["light", "dark"]
        return {f"{self.name}_{theme}.png": theme for theme in themes}


@dataclasses.dataclass
class Chapter:
    name: str  # of the puzzle's folder
    pictures: list[Picture] = dataclasses.field(default_factory=list)
    mistakes: list[list[str]] = dataclasses.field(default_factory=list)
    commands: list[list[str]] = dataclasses.field(default_factory=list)

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def state(self) -> Path:
        return RUNS / self.number

    @functools.cached_property
    def declared(self) -> dict:
        return json.loads((ROOT / "puzzles" / self.name / "declared.json").read_text(encoding="utf-8"))

    def variants(self) -> list[str]:
        """Those whose runs the pictures show, in the order of the declaration; all where a picture leaves it to the viewer."""
        known = [variant["name"] for variant in self.declared["variants"]]
        wanted = set()
        for picture in self.pictures:
            if "--measured" in picture.options or picture.option("--origin"):
                continue
            for side, default in (("--a", "unfused"), ("--b", "fused")):
                wanted.add(picture.option(side) or default)
        return [name for name in known if name in wanted or not wanted <= set(known)] if wanted else []


def lines_of(file: Path) -> list[list[str]]:
    """The lines of a list, in words, without its comments."""
    return [words for line in file.read_text(encoding="utf-8").splitlines() if (words := shlex.split(line, comments=True))]


def of_readme() -> list[Picture]:
    return [Picture(name, panel, tuple(options)) for name, panel, *options in lines_of(BOOK / "figures" / "readme.txt")]


def chapters() -> list[Chapter]:
    found = {path.name[:2]: Chapter(path.name) for path in sorted((ROOT / "puzzles").glob("[0-9][0-9]_*")) if path.is_dir()}
    for file in sorted(BOOK.glob("figures/[0-9]*.txt")):
        chapter = found[file.name[:2]]
        for first, *rest in lines_of(file):
            if first == "mistake:":
                chapter.mistakes.append(rest)
            elif first == "run:":
                chapter.commands.append(rest)
            else:
                chapter.pictures.append(Picture(first, rest[0], tuple(rest[1:])))
    for picture in of_readme():
        found[picture.name[:2]].pictures.append(picture)
    return [chapter for chapter in found.values() if chapter.pictures]


# --- What a picture and a run come from


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_of_all(files: list[Path]) -> str:
    return digest([(str(path.relative_to(ROOT)), digest_of(path)) for path in sorted(files)])


@functools.cache
def simulator() -> str:
    """What compiles, runs and counts: a hash of its sources."""
    harness = ROOT / "harness"
    return digest_of_all([path for room in harness.iterdir() if room.name not in OTHER_ROOMS for path in room.rglob("*")
                          if path.is_file() and "__pycache__" not in path.parts])


def sources(chapter: Chapter) -> list[Path]:
    """The puzzle and its solution, without what a learner edits and what only words come from."""
    puzzle = ROOT / "puzzles" / chapter.name
    learners = {variant["file"] for variant in chapter.declared["variants"]} | {"answers.txt"}
    return [path for folder in (puzzle, ROOT / "solutions" / chapter.name) for path in folder.rglob("*")
            if path.is_file() and not (folder == puzzle and path.name in learners | {"hints.md", "claims.json"})]


def key_of_solutions(chapter: Chapter) -> str:
    return digest(simulator(), digest_of_all([path for path in sources(chapter) if not path.is_relative_to(ROOT / "puzzles" / chapter.name / "mutants")
                                              and path.name != "mutants.md"]))


def key_of_runs(chapter: Chapter) -> str:
    mistakes = digest_of_all(sources(chapter)) if chapter.mistakes else ""
    return digest(key_of_solutions(chapter), chapter.variants(), mistakes, chapter.mistakes, chapter.commands)


def measured(chapter: Chapter) -> list[Path]:
    return [BOOK / "data" / "h200" / f"{chapter.name}.json"]


def key_of_picture(viewer: Path, chapter: Chapter, picture: Picture, theme: str) -> str:
    shown = digest_of_all(measured(chapter)) if "--measured" in picture.options else key_of_runs(chapter)
    others = digest_of_all(list(ROOT.glob("puzzles/*/declared.json"))) if picture.panel == "puzzles" else ""
    return digest(digest_of(viewer), FRAME, picture, theme, shown, others)


# --- Runs


class Failed(Exception):
    """A command that should have worked did not."""


def are_made(chapter: Chapter) -> bool:
    """Whether the runs are there, and made after the files that Source shows beside them were written."""
    stamp = chapter.state / "complete"
    return stamp.is_file() and stamp.read_text() == key_of_runs(chapter) and all(
        path.stat().st_mtime <= stamp.stat().st_mtime for path in sources(chapter))


def cache() -> Path:
    """What is compiled in advance, most of it the same for every puzzle."""
    return Path(os.environ.get("WORKBOOK_TEST_CACHE") or RUNS / "cache")


def make_runs(workbook: Path, chapter: Chapter) -> None:
    """The runs of a chapter in a history of its own: exported records carry no traces."""
    kept = chapter.state / "solutions"
    has_solutions = kept.is_file() and kept.read_text() == key_of_solutions(chapter)
    if not has_solutions or (chapter.state / "complete").exists():
        shutil.rmtree(chapter.state, ignore_errors=True)
        has_solutions = False
    chapter.state.mkdir(parents=True, exist_ok=True)
    cache().mkdir(parents=True, exist_ok=True)
    (chapter.state / "cache").unlink(missing_ok=True)
    (chapter.state / "cache").symlink_to(cache())
    environment = dict(os.environ, WORKBOOK_ROOT=str(ROOT), WORKBOOK_STATE=str(chapter.state), NO_COLOR="1")

    def run(*words: str, statuses: tuple[int, ...] = (0,)) -> None:
        done = subprocess.run([workbook, *words], env=environment, text=True, cwd=ROOT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode not in statuses:
            raise Failed(f"workbook {' '.join(words)} ended with {done.returncode}:\n{done.stdout[-1500:]}")

    for variant in [] if has_solutions else chapter.variants():
        run("solution", chapter.number, f"--{variant}", "--backend", "sim")
    for words in chapter.commands:
        run(*words, *([] if words[0] in ("sass", "ptx") else ["--backend", "sim"]))  # a listing runs nothing
    if chapter.mistakes:
        run("mutants", chapter.number, "--write", str(chapter.state / "mistakes"))
    for name, variant in chapter.mistakes:
        # It is wrong, and says so by its status.
        run("run", chapter.number, variant, "--backend", "sim", "--kernels", str(chapter.state / "mistakes" / f"{name}.cu"), statuses=(0, 1))
    shutil.rmtree(chapter.state / "build", ignore_errors=True)
    (chapter.state / "cache").unlink()
    (chapter.state / "complete").write_text(key_of_runs(chapter))


def make_all_runs(workbook: Path, shown: list[Chapter]) -> set[str]:
    """Makes those that are not there, a few chapters at a time; returns the numbers of the chapters where that failed."""
    failed = set()
    jobs = int(os.environ.get("WORKBOOK_JOBS") or os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for chapter, made in [(chapter, pool.submit(make_runs, workbook, chapter)) for chapter in shown if not are_made(chapter)]:
            try:
                made.result()
            except Failed as error:
                print(f"book: no pictures of chapter {chapter.number}: {error}", file=sys.stderr)
                failed.add(chapter.number)
    return failed


def keep(chapter: Chapter, runs: Path) -> None:
    """The runs of all solutions, made by somebody else from the same files."""
    stamp = chapter.state / "solutions"
    if (chapter.state / "complete").exists() and are_made(chapter):
        return
    shutil.rmtree(chapter.state, ignore_errors=True)
    chapter.state.mkdir(parents=True)
    shutil.copyfile(runs, chapter.state / "runs.sqlite")
    stamp.write_text(key_of_solutions(chapter))


# --- Pictures


def line_of(chapter: Chapter, picture: Picture, file: str, theme: str) -> str:
    """What the viewer is to draw, as its option --screenshots reads it."""
    runs = ["--db", str(chapter.state / "runs.sqlite")]
    options = [word for word in picture.options if word != "--measured"]
    if "--measured" in picture.options:
        runs = ["--import", *map(str, measured(chapter))]
    elif not picture.option("--origin"):
        options += ["--origin", "solution"]
    return "\t".join([*FRAME, "--theme", theme, *options, "--screenshot", picture.panel, str(PICTURES / file),
                      "--puzzle", str(int(chapter.number)), *runs])


def draw(viewer: Path, lines: list[str]) -> set[str]:
    """One process for all; returns the names of the files that it has drawn."""
    # On its own display even where there is a screen: pictures must not depend on whose it is.
    done = subprocess.run(["xvfb-run", "-a", viewer, "--screenshots", "-"], input="".join(f"{line}\n" for line in lines), text=True,
                          cwd=ROOT, stdout=subprocess.PIPE, env=dict(os.environ, WORKBOOK_ROOT=str(ROOT), XDG_RUNTIME_DIR=str(PICTURES)))
    return {Path(line).name for line in done.stdout.splitlines()}


def missing(viewer: Path, workbook: Path) -> str:
    """What this machine lacks for drawing, and what to type; empty: nothing."""
    if not shutil.which("xvfb-run"):
        return "the viewer draws it on a screen of its own, Xvfb, which this machine does not have. On Debian and Ubuntu: " \
               "apt-get install xvfb xauth, then make book"
    if not os.access(viewer, os.X_OK) or not os.access(workbook, os.X_OK):
        return "the viewer is not built here. make book builds it; where that fails, make viewer says why"
    return ""


def update(viewer: Path, workbook: Path, wanted: list[Chapter]) -> int:
    index = PICTURES / "keys.json"
    known = json.loads(index.read_text()) if index.is_file() else {}
    due = []
    for chapter in wanted:
        for picture in chapter.pictures:
            for file, theme in picture.files.items():
                key = key_of_picture(viewer, chapter, picture, theme)
                if known.get(file) != key or not (PICTURES / file).is_file():
                    due.append((chapter, picture, file, theme, key))
    if not due:
        return 0
    print(f"book: drawing {len(due)} pictures (once, until the viewer or what they show changes)", flush=True)
    unmade = make_all_runs(workbook, list({item[0].number: item[0] for item in due}.values()))
    shutil.rmtree(RUNS / "cache", ignore_errors=True)  # a gigabyte, and soon made again
    lines = [line_of(chapter, picture, file, theme) for chapter, picture, file, theme, _ in due if chapter.number not in unmade]
    drawn, failed = draw(viewer, lines), False
    for chapter, _, file, _, key in due:
        known.pop(file, None)
        if file in drawn:
            known[file] = key
        else:
            print(f"book: {file} could not be drawn", file=sys.stderr)
            failed = True
    index.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    return 1 if failed else 0


def main() -> int:
    options = argparse.ArgumentParser(description="draw the pictures of the book and of the README")
    options.add_argument("--viewer", type=Path, default=BUILD / "viewer" / "workbook-viewer")
    options.add_argument("--workbook", type=Path, default=BUILD / "harness" / "cli" / "workbook")
    options.add_argument("--keep", type=Path, metavar="RUNS.sqlite", help="take these runs of a puzzle's solutions")
    options.add_argument("--readme", action="store_true", help="put the README's pictures where they are committed")
    options.add_argument("numbers", nargs="*", metavar="NN", help="numbers of chapters (default: all)")
    asked = options.parse_args()
    numbers = [f"{int(number):02}" for number in asked.numbers]
    wanted = [chapter for chapter in chapters() if not numbers or chapter.number in numbers]
    if asked.keep:
        for chapter in wanted:
            keep(chapter, asked.keep)
        return 0
    PICTURES.mkdir(parents=True, exist_ok=True)
    if problem := missing(asked.viewer, asked.workbook):
        if not PROBLEM.is_file() or PROBLEM.read_text(encoding="utf-8") != problem:  # else the pages need not be made again
            PROBLEM.write_text(problem, encoding="utf-8")
        print(f"book: the pictures are not drawn: {problem}.", file=sys.stderr)
        return 3
    PROBLEM.unlink(missing_ok=True)
    status = update(asked.viewer, asked.workbook, wanted)
    if asked.readme and status == 0:
        for picture in of_readme():
            for file in picture.files:
                shutil.copyfile(PICTURES / file, README / file)
    return status


if __name__ == "__main__":
    sys.exit(main())
