"""Cuts code out of the repository's files, so that the book never holds a copy of any.

Used by directives.py. A thing that is not found is an error, never an empty block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_OPEN = re.compile(r"^\s*// FILL ME IN: (?P<name>[\w-]+)")
_CLOSE = re.compile(r"^\s*// END: (?P<name>[\w-]+)")


class BookError(Exception):
    """Something that a chapter asks for does not exist, or is not what it says."""


@dataclass
class Excerpt:
    """Consecutive lines of a file, the number of the first one, and which of them a learner fills in."""

    lines: list[str]
    first: int
    filled: list[int]  # counted from 1 within the excerpt


def read(path: str) -> list[str]:
    """The lines of a file named relative to the repository."""
    if re.match(r"puzzles/[^/]+/(?!launches\.)[^/]+\.cu$", path):
        raise BookError(f"{path} is the learner's file: quote the one in solutions/, with skeleton=True for its gaps")
    file = ROOT / path
    if not file.is_file():
        raise BookError(f"there is no file {path}")
    return file.read_text(encoding="utf-8").splitlines()


def without_regions(lines: list[str]) -> list[str]:
    """A solution as the learner first sees it: nothing between the markers."""
    kept, inside = [], False
    for line in lines:
        if _CLOSE.match(line):
            inside = False
        if not inside:
            kept.append(line)
        if _OPEN.match(line):
            inside = True
    return kept


def excerpt(path: str, *, region: str | None = None, kernel: str | None = None, skeleton: bool = False) -> Excerpt:
    """The whole file, or the one region or function of it that is asked for."""
    lines = read(path)
    if skeleton:
        lines = without_regions(lines)
    if region is not None:
        first, last = _region(lines, region, path)
    elif kernel is not None:
        first, last = _function(lines, kernel, path)
    else:
        first, last = 0, len(lines)
    chosen = lines[first:last]
    return Excerpt(_dedent(chosen), first + 1, [] if region else _filled(chosen))


def _region(lines: list[str], name: str, path: str) -> tuple[int, int]:
    start = _only([i for i, line in enumerate(lines) if (m := _OPEN.match(line)) and m["name"] == name], name, path)
    end = _only([i for i, line in enumerate(lines) if (m := _CLOSE.match(line)) and m["name"] == name], name, path)
    if end <= start + 1:
        raise BookError(f"region {name} of {path} is empty")
    return start + 1, end


def _only(found: list[int], name: str, path: str) -> int:
    if len(found) != 1:
        raise BookError(f"{path} has {len(found)} markers for region {name}, not one")
    return found[0]


def _function(lines: list[str], name: str, path: str) -> tuple[int, int]:
    """The definition of a function, or else of a struct, with the comment right above it."""
    text = _blank_comments("\n".join(lines))
    for match in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        close = _matching(text, match.end() - 1, "(", ")")
        body = re.compile(r"\s*(?:noexcept|const|\s)*\{").match(text, close + 1) if close else None
        if not body:
            continue  # a call or a declaration
        end = _matching(text, body.end() - 1, "{", "}")
        if end is None:
            break
        return _with_comment(lines, text, match.start()), text.count("\n", 0, end) + 1
    struct = re.search(rf"\bstruct {re.escape(name)}\s*\{{", text)
    end = _matching(text, struct.end() - 1, "{", "}") if struct else None
    if end is not None:
        return _with_comment(lines, text, struct.start()), text.count("\n", 0, end) + 1
    raise BookError(f"{path} defines no function {name}, and no struct")


def _with_comment(lines: list[str], text: str, begin: int) -> int:
    """The line where the definition that has `begin` starts, with the comment right above it."""
    first = text.count("\n", 0, begin)
    while first > 0 and lines[first - 1].strip() and not re.search(r"[};]\s*$|^#", lines[first - 1]):
        first -= 1
    return first


def _matching(text: str, at: int, opening: str, closing: str) -> int | None:
    depth = 0
    for position in range(at, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == closing:
            depth -= 1
            if depth == 0:
                return position
    return None


def _blank_comments(text: str) -> str:
    """Comments and strings as spaces, so that their brackets do not count; offsets stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def code_only(text: str) -> str:
    """`text` without comments and without differences of white space: what a compiler makes of it."""
    return " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S).split())


def _filled(lines: list[str]) -> list[int]:
    marked, inside = [], False
    for number, line in enumerate(lines, 1):
        if _CLOSE.match(line):
            inside = False
        if inside and line.strip():
            marked.append(number)
        if _OPEN.match(line):
            inside = True
    return marked


def _dedent(lines: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(indents, default=0)
    return [line[margin:] for line in lines]
