"""How the puzzles hang together, from what each declares as builds_on: the sentence below a chapter's heading, the one at
its end, and the map of all on the book's first page."""

from __future__ import annotations

import functools
import textwrap

import puzzles
from drawings import WIDTH, scalable, text
from puzzles import Puzzle

_BOX, _GAP, _BETWEEN_PARTS = (92, 60), 10, 26  # of a puzzle; between two; between two parts in one row
_PITCH, _TOP, _BELOW = 116, 22, 24  # from row to row; room for the parts' names; room for the lines below the last row
_LETTER = 6.2  # the width of one, about


def ground(puzzle: Puzzle) -> str:
    """On which puzzles it builds; empty for the first."""
    if not puzzle.builds_on:
        return ""
    return f'Builds on {_joined([puzzles.link(_all()[number]) for number in puzzle.builds_on])}.\n{{: .ground }}\n\n'


def what_comes_next(puzzle: Puzzle) -> str:
    """The next puzzle in order, and those that build on this one."""
    later = [other for other in _all().values() if other.number > puzzle.number]
    users = [other for other in later[1:] if puzzle.number in other.builds_on]
    if not later:
        return "\n\n## What comes next\n\nThis is the last puzzle. `workbook list --map` shows what you have left open.\n"
    said = f"Next in order is {puzzles.link(later[0])}: {later[0].summary[:1].lower() + later[0].summary[1:]}."
    if users:
        said += f" Later {_joined([puzzles.link(other) for other in users])} {'build' if len(users) > 1 else 'builds'} on this one."
    return f"\n\n## What comes next\n\n{said}\n"


def puzzle_map(_: Puzzle | None) -> str:
    """Every puzzle as a box that links to its chapter, part by part, with a line from each to those that build on it."""
    boxes, parts, rows = _places()
    height = _TOP + rows * _PITCH - (_PITCH - _BOX[1]) + _BELOW
    lines = "".join(_line(boxes[ground], boxes[number], f"e{ground:02} e{number:02}") for number in boxes for ground in _direct(number))
    names = "".join(text(x, y - 8, part, "start", "part") for part, (x, y) in parts.items())
    lit = "".join(f".map:has(.p{n:02}:hover, .p{n:02}:focus) .e{n:02}," for n in boxes).rstrip(",")
    style = f"<style>{lit} {{ stroke: var(--md-accent-fg-color); stroke-width: 2; opacity: 1; }}</style>"
    drawn = "".join(_box(_all()[number], place) for number, place in boxes.items())
    said = "All puzzles by part; a line leads from each to those that build on it."
    return (f'<figure class="chart map">{style}{scalable(height, said, lines + names + drawn)}'
            f"<figcaption>{said} What another line says already is left out. Point at a puzzle to see its own.</figcaption></figure>")


@functools.lru_cache(maxsize=None)
def _all() -> dict[int, Puzzle]:
    return {puzzle.number: puzzle for puzzle in map(puzzles.load, puzzles.names())}


def _joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


@functools.lru_cache(maxsize=None)
def grounds(number: int) -> frozenset[int]:
    """All that a puzzle stands on, also by way of others."""
    direct = frozenset(_all()[number].builds_on)
    return direct.union(*map(grounds, direct))


def _direct(number: int) -> list[int]:
    """The puzzles on which it builds, without those on which another of them stands."""
    own = _all()[number].builds_on
    return [ground for ground in own if not any(ground in grounds(other) for other in own)]


def _places() -> tuple[dict[int, tuple[float, float]], dict[str, tuple[float, float]], int]:
    """The upper left corner of every puzzle and of every part, and how many rows there are. A part that fits stands beside the last."""
    by_part: dict[str, list[int]] = {}
    for puzzle in _all().values():
        by_part.setdefault(puzzle.part, []).append(puzzle.number)
    boxes, parts, row, x = {}, {}, 0, 0.0
    step = _BOX[0] + _GAP
    for part, numbers in by_part.items():
        width = max(len(numbers) * step - _GAP, len(part) * _LETTER)
        if x > 0 and x + width > WIDTH:
            row, x = row + 1, 0.0
        y = _TOP + row * _PITCH
        parts[part] = (x, y)
        boxes |= {number: (x + place * step, y) for place, number in enumerate(numbers)}
        x += width + _BETWEEN_PARTS
    return boxes, parts, row + 1


def _box(puzzle: Puzzle, place: tuple[float, float]) -> str:
    x, y = place
    words = "".join(text(x + 8, y + 28 + 12 * row, line, "start", "small") for row, line in enumerate(textwrap.wrap(puzzle.title, 14, break_long_words=False)))
    return (f'<a href="{puzzle.name}.html" class="p{puzzle.number:02}"><title>{puzzle.summary}</title>'
            f'<rect class="puzzle" x="{x:g}" y="{y:g}" width="{_BOX[0]}" height="{_BOX[1]}" rx="4"/>'
            f'{text(x + 8, y + 15, f"{puzzle.number:02}", "start", "number")}{words}</a>')


def _line(start: tuple[float, float], end: tuple[float, float], names: str) -> str:
    """From one box to another: below both where they stand in one row, else from the lower edge to the upper."""
    width, height = _BOX
    (x0, y0), (x1, y1) = start, end
    x0, x1 = x0 + width / 2, x1 + width / 2
    if y0 == y1:
        near = x1 - x0 < 1.5 * width
        path = (f"M{x0 + width / 2:g},{y0 + height / 2:g}L{x1 - width / 2:g},{y1 + height / 2:g}" if near else
                f"M{x0:g},{y0 + height:g}C{x0 + 12:g},{y0 + height + 26:g} {x1 - 12:g},{y0 + height + 26:g} {x1:g},{y1 + height:g}")
    else:
        bend = max(30.0, (y1 - y0 - height) / 2)
        path = f"M{x0:g},{y0 + height:g}C{x0:g},{y0 + height + bend:g} {x1:g},{y1 - bend:g} {x1:g},{y1:g}"
    return f'<path class="edge {names}" d="{path}"/>'
