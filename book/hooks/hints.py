"""The hint ladder of a puzzle as collapsed boxes, from puzzles/NN_name/hints.md, which `workbook hint` reads too."""

from __future__ import annotations

import re

import missing
from puzzles import Puzzle
from sources import ROOT, BookError


def ladder(puzzle: Puzzle) -> str:
    """Every rung under its heading, `## Nudge` and so on, in a box of its own."""
    path = ROOT / "puzzles" / puzzle.name / "hints.md"
    if not path.is_file():
        return missing.sentence(f"the hints of puzzle {puzzle.number}", f"puzzles/{puzzle.name}/hints.md")
    rungs = re.split(r"^## +(.+)$", path.read_text(encoding="utf-8"), flags=re.M)[1:]
    if not rungs:
        raise BookError(f"{path.relative_to(ROOT)} has no rung (a heading of level two)")
    boxes = []
    for number, (title, text) in enumerate(zip(rungs[::2], rungs[1::2]), 1):
        body = "\n".join("    " + line if line else "" for line in text.strip().split("\n"))
        boxes.append(f'??? tip "Hint {number} of {len(rungs) // 2}: {title.strip()}"\n\n{body}\n')
    return "\n".join(boxes)
