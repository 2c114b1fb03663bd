#!/usr/bin/env python3
"""Makes the data that chapters show again: runs every command that a chapter prints, and each variant it tabulates.

Usage: book/refresh.py [--workbook PROGRAM] [NN ...]     (all chapters unless some are named)

Writes book/data/output/*.txt (what a command printed), book/data/runs/*.json (run records) and
book/data/tables/*.json (book/experiments). What to run is read from the chapters' directives; there is
no list. Everything runs in a copy of puzzles/ and solutions/ below build/, with the skeletons as they come
and a history of its own: the reader's files and runs stay out of it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

BOOK = Path(__file__).resolve().parent
ROOT = BOOK.parent
sys.path.insert(0, str(BOOK / "hooks"))

import claims  # noqa: E402
import directives  # noqa: E402
import laid_out  # noqa: E402
import puzzles  # noqa: E402

RUN_DIRECTIVES = {"launch_table", "variant_table", "traffic_chart", "value"}


class Workbook:
    """The program, on the simulator, without colours, on a copy of the puzzles."""

    def __init__(self, program: str):
        self.program = program
        self.failures = 0
        self.root = ROOT / "build" / "book" / "puzzles"
        for folder in ("puzzles", "solutions", "harness/optimizer/programs"):
            shutil.rmtree(self.root / folder, ignore_errors=True)
            shutil.copytree(ROOT / folder, self.root / folder)
        self.environment = dict(os.environ, WORKBOOK_ROOT=str(self.root), WORKBOOK_STATE=str(self.root / "state"),
                                NO_COLOR="1", COLUMNS="100")

    def failed(self, what: str, done: subprocess.CompletedProcess) -> None:
        print(f"refresh: {what} ended with {done.returncode}; the data of before stays\n{done.stdout[-600:]}", file=sys.stderr)
        self.failures += 1

    def write_kernels(self, name: str, mutant: str | None = None) -> None:
        """What a run of the learner's file finds: what it begins as, or the mistake that a chapter shows."""
        puzzle = self.root / "puzzles" / name
        self.run(["reset", name, "--yes"]).check_returncode()
        if not mutant:
            return
        written = self.root / "mutants" / name
        self.run(["mutants", name, "--write", str(written)]).check_returncode()
        text = (written / f"{mutant}.cu").read_text(encoding="utf-8")
        variant = re.search(r"^// variant: (.*)$", text, re.M)[1]
        declared = json.loads((puzzle / "declared.json").read_text(encoding="utf-8"))["variants"]
        file = next(v["file"] for v in declared if v["name"] == variant)
        (puzzle / file).write_text(re.sub(r"\A(// (expect|variant): .*\n)+", "", text), encoding="utf-8")

    def run(self, arguments: list[str], merged: bool = True) -> subprocess.CompletedProcess:
        return subprocess.run([self.program, *arguments], cwd=self.root, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT if merged else None, timeout=600)


def calls(chapter: Path):
    """The directives of a chapter: name, positional and named arguments."""
    for match in directives.DIRECTIVE.finditer(chapter.read_text(encoding="utf-8")):
        node = ast.parse(match["call"], mode="eval").body
        named = {k.arg: ast.literal_eval(k.value) for k in node.keywords}
        yield node.func.id, [ast.literal_eval(a) for a in node.args], named


def variants(chapter: Path) -> list[str]:
    found = []
    for name, arguments, named in calls(chapter):
        if name in RUN_DIRECTIVES:
            found += arguments[:1] if name == "value" else arguments
            found += [named["of"]] if name == "value" and arguments[1] == "times" else []
        if name == "claims":
            found += [v for claim in claims.on_page(puzzles.of_page(chapter.name), **named) for v in (claim["of"], claim.get("against"))
                      if v and "/" not in v]
    return list(dict.fromkeys(found))


def refresh_records(workbook: Workbook, chapter: Path) -> str:
    """One record a variant, of the solution; returns the device they name."""
    device = ""
    for variant in variants(chapter):
        done = workbook.run(["solution", chapter.name[:2], f"--{variant}", "--json"], merged=False)
        if done.returncode != 0:
            workbook.failed(f"the solution of {chapter.name} --{variant}", done)
            continue
        record = json.loads(done.stdout)
        device = record["device"]
        store("runs", f"{puzzles.of_page(chapter.name)}_{variant}.json", laid_out.dumps(record) + "\n")
    return device


def refresh_output(workbook: Workbook, chapter: Path, command: str, mutant: str | None, device: str) -> None:
    workbook.write_kernels(puzzles.of_page(chapter.name), mutant)
    done = workbook.run(shlex.split(command)[1:])
    # A mistake may be one that does not compile or that CUDA refuses (3, 4); 2 and 5 are the command's own fault.
    if done.returncode not in ((0, 1, 3, 4) if mutant else (0, 1)):
        return workbook.failed(command, done)
    text = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).replace(f"{workbook.root}/", "").replace(f"{ROOT}/", "")
    text = re.sub(r"\nRun \d+ recorded[^\n]*", "", text)  # another number and time at each refresh
    text = re.sub(r": run \d+, (the solution's|yours), [\d-]+ [\d:]+$", r": \1", text, flags=re.M)  # and in `compare`
    head = f"command: {command}\ndevice: Simulator, {device}\nexit: {done.returncode}"
    store("output", directives.output_name(command, mutant), f"{head}\n\n{text.strip(chr(10))}\n")


def store(folder: str, name: str, text: str) -> None:
    path = BOOK / "data" / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"refresh: {path.relative_to(ROOT)}")


def main() -> None:
    options = argparse.ArgumentParser(description="make the data that the book's chapters show again")
    options.add_argument("--workbook", default=str(ROOT / "bin/workbook"), help="the program (default: bin/workbook)")
    options.add_argument("chapters", nargs="*", metavar="NN", help="numbers of chapters (default: all)")
    asked = options.parse_args()
    workbook = Workbook(asked.workbook)
    for chapter in sorted(BOOK.glob("chapters/[0-9][0-9]_*.md")):
        if asked.chapters and chapter.name[:2] not in [f"{int(number):02}" for number in asked.chapters]:
            continue
        device = refresh_records(workbook, chapter)
        for name, arguments, named in calls(chapter):
            if name == "output":
                refresh_output(workbook, chapter, arguments[0], named.get("mutant"), device)
            if name == "data_table":
                script = BOOK / "experiments" / f"{arguments[0]}.py"
                store("tables", f"{arguments[0]}.json", subprocess.run([sys.executable, script], check=True, text=True, stdout=subprocess.PIPE,
                                                                              env=dict(os.environ, WORKBOOK=asked.workbook)).stdout)
    sys.exit(1 if workbook.failures else 0)


if __name__ == "__main__":
    main()
