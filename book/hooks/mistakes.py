"""Every mistake that the workbook knows by name: puzzles/NN_name/mutants/*.edit, as tables for whoever teaches with it."""

from __future__ import annotations

import re

import puzzles
import tables
from puzzles import Puzzle
from sources import ROOT


def mistakes(_: Puzzle | None) -> str:
    """A table a puzzle: the mistake, the variant, and the sentence or the class of finding that whoever makes it reads."""
    parts = []
    for name in puzzles.names():
        puzzle = puzzles.load(name)
        rows = [["Mistake", "Variant", "What is said of it"]]
        for path in sorted((ROOT / "puzzles" / name / "mutants").glob("*.edit")):
            edit = path.read_text(encoding="utf-8")
            variant = _field(edit, "variant")
            said = _field(edit, "says") or f"`{_field(edit, 'expect')}`"
            rows.append([path.stem.replace("_", " "), f"`--{variant}`" if variant else "", said.replace("|", "\\|")])
        parts.append(f"## {puzzle.number:02} {puzzle.title} ({len(rows) - 1})\n\n{tables.markdown(rows, left=(0, 1, 2))}")
    return "\n\n".join(parts)


def _field(edit: str, name: str) -> str:
    found = re.search(rf"^{name}: *(.*)$", edit, re.M)
    return found[1].strip() if found else ""
