"""What chapters ask for and nothing has produced yet: runs not on record, pictures not drawn.

The page says so in a sentence and the build goes on, so that a chapter can be written before its puzzle
has run; tests/test_book.py fails until the list is empty.
"""

from __future__ import annotations

found: list[str] = []


def note(what: str, remedy: str) -> None:
    """Remembers `what`; build.sh prints it with the command that makes it."""
    if (line := f"{what} ({remedy})") not in found:
        found.append(line)


def sentence(what: str, remedy: str) -> str:
    """A paragraph for the place where `what` belongs."""
    note(what, remedy)
    return f'<p class="provenance">Not on record yet: {what}. <code>{remedy}</code> makes it.</p>'
