"""What a chapter needs to know of its puzzle, read from the declaration in puzzles/NN_name/puzzle.cu.

Used by book.py for the navigation and by directives.py for sizes. Reads the source, so that the book
needs no compiler to be built.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

from sources import ROOT, BookError, _blank_comments, _matching


@dataclass
class Puzzle:
    number: int
    name: str  # "22_layernorm_linear"
    title: str
    part: str
    summary: str
    sizes: dict[str, dict[str, int]] = field(default_factory=dict)  # "teaching", "large", "real"


def names() -> list[str]:
    """The folder names of all puzzles, in order."""
    return sorted(p.parent.name for p in (ROOT / "puzzles").glob("[0-9][0-9]_*/puzzle.cu"))


@functools.lru_cache(maxsize=None)
def load(name: str) -> Puzzle:
    """The declaration of the puzzle in puzzles/`name`."""
    path = ROOT / "puzzles" / name / "puzzle.cu"
    if not path.is_file():
        raise BookError(f"chapter {name}.md has no puzzle: {path.relative_to(ROOT)} does not exist")
    text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    start = re.search(r"\bPuzzle\b[^;{]*\{", text)
    if not start:
        raise BookError(f"puzzles/{name}/puzzle.cu declares no Puzzle")
    body = text[start.end() :]
    cases = _braced(body, "cases")
    first_case = _braced(cases, "dims") if ".dims" in cases else cases
    return Puzzle(
        number=int(_find(body, r"\.number\s*=\s*(\d+)", name)),
        name=name,
        title=_string(body, "title", name),
        part=_string(body, "part", name),
        summary=_string(body, "summary", name),
        sizes={
            "teaching": _sizes(_first_group(first_case)),
            "large": _sizes(_braced(body, "large")),
            "real": _sizes(_braced(body, "bench")),
        },
    )


def tolerance(puzzle: Puzzle, tensor: str) -> str:
    """The sentence that says where the tolerance of `tensor` comes from."""
    text = (ROOT / "puzzles" / puzzle.name / "puzzle.cu").read_text(encoding="utf-8")
    entry = re.search(rf'\.name\s*=\s*"{tensor}".*?\.tolerance_source\s*=\s*((?:"(?:\\.|[^"\\])*"\s*)+|\w+)', text, re.S)
    if not entry:
        raise BookError(f"puzzles/{puzzle.name}/puzzle.cu gives no tolerance_source for {tensor}")
    source = entry[1]
    if not source.startswith('"'):
        source = _find(text, rf'\b{source}\s*=\s*((?:"(?:\\.|[^"\\])*"\s*)+)', puzzle.name)
    return "".join(re.findall(r'"((?:\\.|[^"\\])*)"', source))


def _find(text: str, pattern: str, name: str) -> str:
    found = re.search(pattern, text, re.S)
    if not found:
        raise BookError(f"puzzles/{name}/puzzle.cu: nothing matches {pattern}")
    return found[1]


def _string(text: str, key: str, name: str) -> str:
    """The value of the first `.key = "..."`, which may be several literals in a row."""
    literals = _find(text, rf"\.{key}\s*=\s*((?:\"(?:\\.|[^\"\\])*\"\s*)+)", name)
    return "".join(re.findall(r'"((?:\\.|[^"\\])*)"', literals))


def _braced(text: str, key: str) -> str:
    """What stands between the braces of `.key = {...}` or `.key = Dims{...}`."""
    found = re.search(rf"\.{key}\s*=\s*[\w:]*\s*\{{", text)
    if not found:
        return ""
    blanked = _blank_comments(text)
    return text[found.end() : _matching(blanked, found.end() - 1, "{", "}")]


def _first_group(text: str) -> str:
    """Up to where the second case begins: dimension names repeat there."""
    seen, end = set(), len(text)
    for match in re.finditer(r'\{\s*"(\w+)"\s*,\s*\d', text):
        if match[1] in seen:
            end = match.start()
            break
        seen.add(match[1])
    return text[:end]


def _sizes(text: str) -> dict[str, int]:
    pairs = re.findall(r"\{\s*\"(\w+)\"\s*,\s*([\d'\s*<]+?)\s*\}", text)
    return {name: _product(value) for name, value in pairs}


def _product(value: str) -> int:
    """`1 << 24` and `8 * 512` are sizes too."""
    shifted = re.fullmatch(r"(\d+)\s*<<\s*(\d+)", value.strip())
    if shifted:
        return int(shifted[1]) << int(shifted[2])
    result = 1
    for factor in value.replace("'", "").split("*"):
        result *= int(factor)
    return result
