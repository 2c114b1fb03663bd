"""What a week of a course takes: minutes of reading, counted as book/STYLE.md does; regions and programs, from what the
puzzles declare; and of both an estimate of hours."""

from __future__ import annotations

import json
import re

from puzzles import Puzzle, names
from sources import ROOT, BookError

WORDS_A_MINUTE = 220
MINUTES_A_PIECE = 20  # of writing, for a region or a program: an estimate, which the chapter calls one


def week(_: Puzzle | None, *numbers: int) -> str:
    """The cells of a row for puzzles by number: "18 min | 9 | 3.5 h"."""
    read = sum(_minutes(_name(number)) for number in numbers)
    pieces = sum(_pieces(_name(number)) for number in numbers)
    hours = (read + MINUTES_A_PIECE * pieces) / 60
    return f"{round(read)} min | {pieces} | {round(2 * hours) / 2:g} h"


def _name(number: int) -> str:
    for name in names():
        if int(name[:2]) == number:
            return name
    raise BookError(f"there is no puzzle {number}")


def _minutes(name: str) -> float:
    """Prose alone: without code, closed boxes and directives."""
    text = (ROOT / "book" / "chapters" / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.S | re.M)
    text = re.sub(r"^\?\?\? .*\n((    .*)?\n)*", "", text, flags=re.M)
    text = re.sub(r"\{\{.*?\}\}", "", text)
    return len(re.findall(r"\w[\w'-]*", text)) / WORDS_A_MINUTE


def _pieces(name: str) -> int:
    """Regions of required variants, and programs that are whole."""
    declared = json.loads((ROOT / "puzzles" / name / "declared.json").read_text(encoding="utf-8"))
    required = [variant for variant in declared["variants"] if variant["required"]]
    regions = {(variant["file"], region) for variant in required for region in variant["regions"]}
    return len(regions) + sum(not variant["regions"] for variant in required)
