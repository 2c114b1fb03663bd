"""What a chapter needs to know of its puzzle: puzzles/NN_name/declared.json, which `workbook derive NN` writes of what
puzzle.cpp declares. So the book needs no compiler to be built, and no second reader of C++.

Used by book.py for the navigation and by directives.py for sizes.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass, field

from sources import ROOT, BookError


@dataclass
class Puzzle:
    number: int
    name: str  # "22_layernorm_linear"
    title: str
    part: str
    summary: str
    # "teaching", "large", "real" of the first task; of a task with a name also "backward teaching" and so on.
    sizes: dict[str, dict[str, int]] = field(default_factory=dict)
    is_programs: bool = False  # every variant is one, with a main() of its own
    tolerances: dict[str, str] = field(default_factory=dict)  # by tensor, also "backward dx": where it comes from
    regions: dict[str, list[str]] = field(default_factory=dict)  # by variant, in order; of a program its own name
    builds_on: list[int] = field(default_factory=list)  # numbers of puzzles before it


def names() -> list[str]:
    """The folder names of all puzzles, in order."""
    return sorted(p.parent.name for p in (ROOT / "puzzles").glob("[0-9][0-9]_*/puzzle.cpp"))


def of_page(page: str) -> str:
    """The puzzle that chapters/`page` belongs to; "" for a page of the whole book. NN_name.further.md is a second page of NN_name's
    chapter, for rungs that would make it too long."""
    chapter = re.fullmatch(r"(\d\d_\w+)(\.further)?\.md", page)
    return chapter[1] if chapter else ""


def is_further(page: str) -> bool:
    return page.endswith(".further.md")


@functools.lru_cache(maxsize=None)
def load(name: str) -> Puzzle:
    """The declaration of the puzzle in puzzles/`name`."""
    path = ROOT / "puzzles" / name / "declared.json"
    if not (path.parent / "puzzle.cpp").is_file():
        raise BookError(f"chapter {name}.md has no puzzle: puzzles/{name}/puzzle.cpp does not exist")
    try:
        return read(json.loads(path.read_text(encoding="utf-8")), name)
    except (OSError, ValueError, KeyError) as error:
        raise BookError(f"puzzles/{name}/declared.json: {error!r}. `workbook derive {name[:2]}` writes it") from error


def read(declared: dict, name: str) -> Puzzle:
    """From the text of declared.json."""
    puzzle = Puzzle(declared["number"], name, declared["title"], declared["part"], declared["summary"],
                    builds_on=declared.get("builds_on", []))
    puzzle.is_programs = all("program" in variant for variant in declared.get("variants", []))
    puzzle.regions = {variant["name"]: variant["regions"] or [variant["name"]] for variant in declared.get("variants", [])}
    for task in declared["tasks"]:
        for prefix in {"", f"{task['name']} ".lstrip()}:
            for shape, key in (("teaching", "teaching"), ("large", "large"), ("real", "bench")):
                puzzle.sizes.setdefault(prefix + shape, task[key])
            for tensor in task["tensors"]:
                if "tolerance" in tensor:
                    puzzle.tolerances.setdefault(prefix + tensor["name"], tensor["tolerance"])
    return puzzle


def link(puzzle: Puzzle) -> str:
    """To its chapter, by its title."""
    return f"[Puzzle {puzzle.number:02}: {puzzle.title}]({puzzle.name}.md)"


def tolerance(puzzle: Puzzle, tensor: str) -> str:
    """The sentence that says where the tolerance of `tensor` comes from."""
    if tensor not in puzzle.tolerances:
        raise BookError(f"puzzles/{puzzle.name}/puzzle.cpp gives no tolerance for {tensor}")
    return puzzle.tolerances[tensor]
