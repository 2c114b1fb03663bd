"""What the experiments beside this file share: solutions with something changed, run on the simulator, and a table printed.

Each experiment prints one table as JSON; book/refresh.py stores it in data/tables/, and the chapter that shows it names it in a data_table(). They need
a built workbook: the program that WORKBOOK names, else bin/workbook.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
sys.path.insert(0, str(ROOT / "book" / "hooks"))

from records import size, time  # noqa: E402, F401: how every table of the book writes bytes and microseconds


class Copy:
    """A puzzle in a folder of its own, its files the solution's, to be changed and run."""

    def __init__(self, puzzle: str, root: Path):
        self.puzzle = puzzle
        self.root = root
        self.environment = dict(os.environ, WORKBOOK_ROOT=str(root), WORKBOOK_STATE=str(root / "state"))
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / puzzle, root / part / puzzle)
        self.restore("kernels.cu")

    def restore(self, name: str) -> None:
        """The file as it is in the repository; a learner's file as the solution has it."""
        solution = ROOT / "solutions" / self.puzzle / name
        shutil.copy(solution if solution.is_file() else ROOT / "puzzles" / self.puzzle / name, self.root / "puzzles" / self.puzzle / name)

    def change(self, name: str, pattern: str, by: str | Callable[[re.Match], str], times: int = 1) -> None:
        """Replaces what `pattern` matches in the file, which it has to do `times` times."""
        file = self.root / "puzzles" / self.puzzle / name
        file.write_text(changed(file.read_text(encoding="utf-8"), pattern, by, times), encoding="utf-8")

    def set_constant(self, name: str, constant: str, value: int) -> None:
        self.change(name, rf"\b({constant} = )\d+;", rf"\g<1>{value};")

    def benchmark(self, variant: str) -> dict:
        """The benchmark of the real shape as recorded; what is right at too high a price has one too."""
        done = subprocess.run([PROGRAM, "run", self.puzzle[:2], f"--{variant}", "--backend", "sim", "--json"], text=True, cwd=self.root,
                              env=self.environment, stdout=subprocess.PIPE)
        record = json.loads(done.stdout)
        assert record["verdict"] in ("correct", "over_budget"), f"{self.puzzle} --{variant}: {record['verdict']}, {record['detail']}"
        (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
        return real

    def launch(self, variant: str) -> dict:
        """The only launch of the real shape."""
        (launch,) = self.benchmark(variant)["launches"]
        return launch


@contextmanager
def solution(puzzle: str) -> Iterator[Copy]:
    with tempfile.TemporaryDirectory() as folder:
        yield Copy(puzzle, Path(folder))


def changed(text: str, pattern: str, by: str | Callable[[re.Match], str], times: int = 1) -> str:
    text, found = re.subn(pattern, by, text, flags=re.DOTALL)
    assert found == times, f"{pattern} is found {found} times, not {times}"
    return text


def with_region(name: str, body: str) -> tuple[str, Callable[[re.Match], str]]:
    """Pattern and replacement, for change(), that put `body` into the region `name`."""
    return (rf"(// FILL ME IN: {name} [^\n]*\n).*?(\n *// END: {name})", lambda match: match[1] + body.strip("\n") + match[2])


def simulated(file: Path) -> tuple[str, dict]:
    """What a program of its own printed, and what the simulator reports of it."""
    done = subprocess.run([PROGRAM, "sim", "--gpu", "h200", "--json", str(file)], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    *printed, report = done.stdout.rstrip("\n").split("\n")
    return "\n".join(printed), json.loads(report)


def write_mutants(puzzle: str, folder: str) -> None:
    """The wrong solutions of the puzzle, NAME.cu each."""
    subprocess.run([PROGRAM, "mutants", puzzle, "--write", folder], check=True, env=dict(os.environ, WORKBOOK_ROOT=str(ROOT)), stdout=subprocess.DEVNULL)


def f32(value: float) -> float:
    """Rounded to float. An operation done in double and then rounded gives what the float operation gives."""
    return ctypes.c_float(value).value


def print_table(head: list[str], rows: list[list[str]], note: str) -> None:
    print(json.dumps({"head": head, "rows": rows, "note": note}, indent=1, ensure_ascii=False))
