"""The hint ladder of a puzzle as collapsed boxes, from puzzles/NN_name/hints.md, which `workbook hint` reads too.

There, `## region` begins the hints for a FILL ME IN region and `### Nudge` one rung of its ladder.
"""

from __future__ import annotations

import re

from puzzles import Puzzle
from sources import ROOT, BookError


def ladder(puzzle: Puzzle, *of: str) -> str:
    """Every rung in a box of its own; a heading for each region where there are several. Of all regions, or of those named."""
    path = f"puzzles/{puzzle.name}/hints.md"
    if not (ROOT / path).is_file():
        raise BookError(f"there is no {path}")
    regions = _headed((ROOT / path).read_text(encoding="utf-8"), "##")
    if not regions:
        raise BookError(f"{path} has no hints: a heading of level two for each region, of level three for each rung")
    missing = set(of) - {region for region, _ in regions}
    if missing:
        raise BookError(f"{path} has no region {', '.join(sorted(map(str, missing)))}")
    parts = []
    for region, text in regions:
        if of and region not in of:
            continue
        rungs = _headed(text, "###")
        if not rungs:
            raise BookError(f"{path}: region {region} has no rung (a heading of level three)")
        if len(regions) > 1:
            parts.append(f"### Region `{region}`\n")
        for number, (title, rung) in enumerate(rungs, 1):
            body = "\n".join("    " + line if line else "" for line in rung.split("\n"))
            parts.append(f'??? tip "Hint {number} of {len(rungs)}: {title.lower()}"\n\n{body}\n')
    return "\n".join(parts)


def _headed(text: str, level: str) -> list[tuple[str, str]]:
    """The headings of a level with the text below each."""
    pieces = re.split(rf"^{level} +(.+)$", text, flags=re.M)[1:]
    return [(title.strip(), body.strip()) for title, body in zip(pieces[::2], pieces[1::2])]
