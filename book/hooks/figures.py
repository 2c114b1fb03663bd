"""Pictures that the viewer drew, one for the light and one for the dark scheme.

book/pictures.py writes them to build/book/pictures/NN_panel_{light,dark}.png. Where viewer/web/build.sh has
compiled the viewer to a page, a picture can be exchanged for it.
"""

from __future__ import annotations

import html
import shutil
from pathlib import Path

import missing
from puzzles import Puzzle

PICTURES = Path(__file__).resolve().parents[2] / "build" / "book" / "pictures"
PROBLEM = PICTURES / "problem.txt"  # where they are not drawn: why
PAGE = Path(__file__).resolve().parents[2] / "build" / "web" / "page"  # where viewer/web/build.sh leaves it
PAGE_FILES = ("viewer.html", "viewer.js", "runs.js")
SITE_FOLDER = "viewer"  # of the page within the book


def page_is_built() -> bool:
    return all((PAGE / name).is_file() for name in PAGE_FILES)


def figure(puzzle: Puzzle | None, name: str, caption: str, *, live: str | None = None) -> str:
    """A picture with its caption; `name` is the file's name without scheme and ending.

    `live` is what the viewer's page shows when the reader wants to try it, such as "panel=mapping&side=B". Where
    that page has not been built the picture stands alone.
    """
    for scheme in ("light", "dark"):
        if not (PICTURES / f"{name}_{scheme}.png").is_file():
            return _not_drawn(caption)
    pictures = "".join(
        f'<a class="only-{scheme}" href="images/{name}_{scheme}.png"><img src="images/{name}_{scheme}.png" alt="{caption}"></a>'
        for scheme in ("light", "dark")
    )
    links = _links(puzzle, live) if live is not None and page_is_built() else ""
    return f'<figure class="viewer">{pictures}{links}<figcaption>{caption}</figcaption></figure>'


def _not_drawn(caption: str) -> str:
    missing.note("pictures of the viewer", "make book")
    reason = PROBLEM.read_text(encoding="utf-8") if PROBLEM.is_file() else "make book draws it, which takes some minutes once"
    return f'<figure class="viewer"><p class="provenance">This picture is not drawn: {html.escape(reason)}.</p><figcaption>{caption}</figcaption></figure>'


def _links(puzzle: Puzzle | None, live: str) -> str:
    query = f"puzzle={puzzle.number}&{live}" if puzzle else live
    address = html.escape(f"{SITE_FOLDER}/viewer.html?{query}")
    return (
        f'<p class="live"><button type="button" data-live="{address}">Try it here</button>'
        f'<a href="{address}" target="_blank">Open full size</a></p>'
    )


def copy_pictures(site: Path) -> None:
    (site / "images").mkdir(exist_ok=True)
    for picture in PICTURES.glob("*.png"):
        shutil.copyfile(picture, site / "images" / picture.name)


def copy_page(site: Path) -> None:
    """The viewer's page beside the book's own, where it has been built."""
    if page_is_built():
        (site / SITE_FOLDER).mkdir(exist_ok=True)
        for name in PAGE_FILES:
            shutil.copyfile(PAGE / name, site / SITE_FOLDER / name)
