"""Drawings of how threads share work, as inline SVG in the page's own colours, so that they suit light and dark.

book/drawings/NN_name.py has those of chapter NN_name: a dictionary DRAWINGS of functions that return the height and the
body, made of text() and cell() and of paths (class own, sent, barrier). Numbers in a drawing are worked out there.
"""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path

from puzzles import Puzzle
from sources import BookError

FOLDER = Path(__file__).resolve().parents[1] / "drawings"
WIDTH = 860  # of every drawing and chart, so that text has one size


@functools.lru_cache(maxsize=None)
def of_chapter(name: str):
    """The module book/drawings/`name`.py; None where there is none."""
    path = FOLDER / f"{name}.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"drawings_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawing(puzzle: Puzzle | None, name: str, caption: str) -> str:
    module = of_chapter(puzzle.name) if puzzle else None
    drawings = module.DRAWINGS if module else {}
    if name not in drawings:
        raise BookError(f"there is no drawing {name} in book/drawings/{puzzle.name if puzzle else 'NN_name'}.py; "
                        f"these exist: {', '.join(sorted(drawings)) or 'none'}")
    height, body = drawings[name]()
    return f'<figure class="chart drawing">{scalable(height, caption, body)}<figcaption>{caption}</figcaption></figure>'


def scalable(height: float, said: str, body: str) -> str:
    """An SVG as wide as the column, which scrolls where that would make it too small to read. The search leaves it out:
    its numbers mean nothing without their places."""
    return f'<div class="scroll" data-search-exclude><svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{said}">{body}</svg></div>'


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Words at a place: anchor start, middle or end; kind name (code), on (upon a filled cell), small."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{words}</text>'


def cell(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rectangle: kind input, intermediate, output (filled), faint (a light input) or cell (its border alone)."""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
