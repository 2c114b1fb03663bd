"""Pictures that the viewer drew, one for the light and one for the dark scheme.

viewer/screenshots.sh writes them to book/chapters/images/NN_panel_{light,dark}.png.
"""

from __future__ import annotations

from pathlib import Path

import missing
from puzzles import Puzzle

IMAGES = Path(__file__).resolve().parents[1] / "chapters" / "images"


def figure(_: Puzzle | None, name: str, caption: str) -> str:
    """A picture with its caption; `name` is the file's name without scheme and ending."""
    for scheme in ("light", "dark"):
        if not (IMAGES / f"{name}_{scheme}.png").is_file():
            return missing.sentence(f"picture {name}_{scheme}.png", "viewer/screenshots.sh")
    pictures = "".join(
        f'<a class="only-{scheme}" href="images/{name}_{scheme}.png"><img src="images/{name}_{scheme}.png" alt="{caption}"></a>'
        for scheme in ("light", "dark")
    )
    return f'<figure class="viewer">{pictures}<figcaption>{caption}</figcaption></figure>'
