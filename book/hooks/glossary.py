"""The field's words: a chapter defines one where it first stands, and the glossary lists them all with a link back.

    {{ term("warp", "32 threads of a block that go through the code together") }}

stands in a sentence in place of the word. A word is defined once in the whole book.
"""

from __future__ import annotations

import ast
import functools
import html
import re
from pathlib import Path

from puzzles import Puzzle
from sources import BookError

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
_TERM = re.compile(r"\{\{\s*(term\((?:[^{}\"']|\"[^\"]*\"|'[^']*')*\))\s*\}\}")


def term(_: Puzzle | None, word: str, meaning: str, *, shown: str | None = None) -> str:
    """The word where it is defined; `shown` is how it stands in the sentence, such as its plural."""
    return f'<dfn id="{_anchor(word)}" title="{html.escape(meaning)}">{shown or word}</dfn>'


def glossary(_: Puzzle | None) -> str:
    """All words that chapters define, in alphabetical order."""
    return "\n\n".join(f"**{word}**\n:   {meaning[:1].upper() + meaning[1:]}. [Puzzle {page[:2]}]({page}#{_anchor(word)})"
                       for word, (meaning, page) in sorted(_defined().items(), key=lambda entry: entry[0].lower()))


def _anchor(word: str) -> str:
    return "term-" + re.sub(r"\W+", "-", word.lower()).strip("-")


@functools.lru_cache(maxsize=None)
def _defined() -> dict[str, tuple[str, str]]:
    """Each word with its meaning and the page that defines it."""
    found: dict[str, tuple[str, str]] = {}
    for path in sorted(CHAPTERS.glob("[0-9][0-9]_*.md")):
        for match in _TERM.finditer(path.read_text(encoding="utf-8")):
            word, meaning = (ast.literal_eval(argument) for argument in ast.parse(match[1], mode="eval").body.args)
            if word in found:
                raise BookError(f"{path.name} defines '{word}' again; {found[word][1]} does so before")
            found[word] = (meaning, path.name)
    return found
