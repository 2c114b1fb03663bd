"""Every mistake that the workbook knows by name: puzzles/NN_name/mutants.md, as tables for whoever teaches with it."""

from __future__ import annotations

import re
from pathlib import Path

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
        for mutant, text in _sections(ROOT / "puzzles" / name / "mutants.md"):
            variant = _field(text, "variant")
            said = _field(text, "says") or f"`{_field(text, 'expect')}`"
            rows.append([mutant.replace("_", " "), f"`--{variant}`" if variant else "", said.replace("|", "\\|")])
        parts.append(f"## {puzzle.number:02} {puzzle.title} ({len(rows) - 1})\n\n{tables.markdown(rows, left=(0, 1, 2))}")
    return "\n\n".join(parts)


def _sections(path: Path) -> list[tuple[str, str]]:
    """The mutants by name, with what stands above their edits."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    pieces = re.split(r"^## (\w+)$", text, flags=re.M)[1:]
    return [(name, body.partition("```")[0]) for name, body in zip(pieces[::2], pieces[1::2])]


def _field(text: str, name: str) -> str:
    found = re.search(rf"^- {name}: *(.*)$", text, re.M)
    return found[1].strip() if found else ""
