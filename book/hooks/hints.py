"""The hint ladder of a puzzle as collapsed boxes, from puzzles/NN_name/hints.md, which `workbook hint` reads too.

There, `## region` begins the hints for a FILL ME IN region and `### Nudge` one rung of its ladder.
"""

from __future__ import annotations

import re

from puzzles import Puzzle
from sources import ROOT, BookError


def ladder(puzzle: Puzzle, *of: str) -> str:
    """A box a variant, in which every rung of its regions is a box of its own. Of all regions, or of those named.

    A region that an earlier variant has, too, stands there.
    """
    path = f"puzzles/{puzzle.name}/hints.md"
    if not (ROOT / path).is_file():
        raise BookError(f"there is no {path}")
    regions = dict(_headed((ROOT / path).read_text(encoding="utf-8"), "##"))
    if not regions:
        raise BookError(f"{path} has no hints: a heading of level two for each region, of level three for each rung")
    if missing := set(of) - regions.keys():
        raise BookError(f"{path} has no region {', '.join(sorted(map(str, missing)))}")
    if orphans := regions.keys() - {region for mine in puzzle.regions.values() for region in mine}:
        raise BookError(f"{path}: no variant has the region {', '.join(sorted(orphans))}")
    parts = []
    shown_by: dict[str, str] = {}
    for variant, mine in puzzle.regions.items():
        wanted = [region for region in mine if region in regions and (not of or region in of)]
        new = [region for region in wanted if region not in shown_by]
        shown_by |= dict.fromkeys(new, variant)
        if new:
            body = "\n".join([_elsewhere(wanted, shown_by, variant), *(_rungs(path, region, regions[region], len(mine) > 1) for region in new)])
            parts.append(f'??? tip "`--{variant}`"\n\n{_indented(body.strip())}\n')
    return "\n".join(parts)


def _elsewhere(wanted: list[str], shown_by: dict[str, str], variant: str) -> str:
    """Where the regions stand that an earlier variant has, too."""
    earlier: dict[str, list[str]] = {}
    for region in wanted:
        if shown_by[region] != variant:
            earlier.setdefault(shown_by[region], []).append(f"`{region}`")
    return "; ".join(f"{', '.join(names)}: see `--{other}`" for other, names in earlier.items()) + ("\n" if earlier else "")


def _rungs(path: str, region: str, text: str, named: bool) -> str:
    """The rungs of a region, a box each, below its name if that tells it from others."""
    rungs = _headed(text, "###")
    if not rungs:
        raise BookError(f"{path}: region {region} has no rung (a heading of level three)")
    parts = [f"**`{region}`**\n"] if named else []
    for number, (title, rung) in enumerate(rungs, 1):
        parts.append(f'??? tip "Hint {number} of {len(rungs)}: {title.lower()}"\n\n{_indented(rung)}\n')
    return "\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join("    " + line if line else "" for line in text.split("\n"))


def _headed(text: str, level: str) -> list[tuple[str, str]]:
    """The headings of a level with the text below each."""
    pieces = re.split(rf"^{level} +(.+)$", text, flags=re.M)[1:]
    return [(title.strip(), body.strip()) for title, body in zip(pieces[::2], pieces[1::2])]
