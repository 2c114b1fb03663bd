"""Drawings of chapter 40: what the cache saves, what a block launches, and who sends the launches of a token."""

from __future__ import annotations

import math

from drawings import cell, text

KEYS, VALUES, QUERY = [1, 0, 2, 1], [4, 8, 2, 6], 1


def cache() -> tuple[int, str]:
    """Token 3 of a sequence: one new row, and four that are read; heads of one element."""
    side, left, top = 56, 250, 40
    scores = [QUERY * key for key in KEYS]
    powers = [math.exp(score - max(scores)) for score in scores]
    shares = [power / sum(powers) for power in powers]
    mixed = sum(share * value for share, value in zip(shares, VALUES))
    out = [text(left + i * 130 + 45, 18, f"token {i}", "middle", "name") for i in range(len(KEYS))]
    for row, (name, numbers) in enumerate((("key", KEYS), ("value", VALUES))):
        y = top + row * 40
        out.append(text(left - 30, y + 20, f"{name}s in the cache", "end"))
        for i, number in enumerate(numbers):
            new = i == len(numbers) - 1
            out.append(cell(left + i * 130, y, 90, 30, "output" if new else "input"))
            out.append(text(left + i * 130 + 45, y + 20, str(number), "middle", "on"))
    y = top + 2 * 40 + 22
    out.append(text(left - 30, y, f"score: key times query {QUERY}", "end"))
    out.append(text(left - 30, y + side / 2, "share: softmax of the scores", "end"))
    for i, (score, share) in enumerate(zip(scores, shares)):
        out.append(text(left + i * 130 + 45, y, str(score), "middle"))
        out.append(text(left + i * 130 + 45, y + side / 2, f"{share:.2f}", "middle"))
    terms = " + ".join(f"{share:.2f}·{value}" for share, value in zip(shares, VALUES))
    out.append(text(left - 30, y + side, "context of token 3", "end"))
    out.append(text(left, y + side, f"{terms} = {mixed:.2f}"))
    return int(y + side + 14), "".join(out)


APART = [("LN", 0), ("W", 0), ("bias", 0), ("LN", 0), ("W", 0), ("bias", 0), ("GELU", 0), ("rotate", 1), ("append", 1), ("attend", 1),
         ("W", 2), ("bias", 2), ("W", 2), ("bias", 2), ("add", 2), ("add", 2)]
FUSED = ["norm_linear", "rotary_attention", "linear_residual"]


def block() -> tuple[int, str]:
    """The launches of one block, apart and fused."""
    kinds = ("input", "intermediate", "output")
    width, gap, left = 46, 6, 20
    out = [text(left, 16, f"--unfused: {len(APART)} launches, each reads what the one before has written")]
    for i, (name, part) in enumerate(APART):
        x = left + i * (width + gap)
        out.append(cell(x, 28, width, 30, kinds[part]))
        out.append(text(x + width / 2, 48, name, "middle", "on small"))
    y = 92
    out.append(text(left, y + 4, f"--fused: {len(FUSED)} launches"))
    x = left
    for part, name in enumerate(FUSED):
        members = sum(1 for _, of in APART if of == part)
        wide = members * (width + gap) - gap
        out.append(f'<path class="own" d="M{x + 4} 64 V72 H{x + wide - 4} V64"/>')
        out.append(cell(x, y + 16, wide, 30, kinds[part]))
        out.append(text(x + wide / 2, y + 36, name, "middle", "on small"))
        x += wide + gap
    return y + 60, "".join(out)


def graph() -> tuple[int, str]:
    """Two tokens: launches from the host one by one, and a graph a token."""
    left, unit = 120, 30
    out = []

    def lane(y: int, name: str) -> None:
        out.append(text(0, y + 17, name))

    def boxes(y: int, start: int, count: int, kind: str, words: str = "") -> None:
        for i in range(count):
            out.append(cell(left + (start + i) * unit, y, unit - 4, 24, kind))
        if words:
            out.append(text(left + start * unit, y - 6, words, kind="small"))

    lane(28, "host")
    lane(60, "GPU")
    for token in range(2):
        start = token * 12
        boxes(28, start, 6, "cell", f"token {token}: a launch each")
        out.append(cell(left + (start + 10) * unit, 28, 2 * unit - 4, 24, "faint"))
        out.append(text(left + (start + 11) * unit - 2, 45, "reads it", "middle", "small"))
        for i in range(6):
            out.append(cell(left + (start + 1 + i) * unit + 8 * (i + 1), 60, unit - 12, 24, "input"))
    lane(126, "host")
    lane(158, "GPU")
    boxes(126, 0, 1, "cell", "a graph a token: one launch, and nothing to wait for")
    boxes(126, 1, 1, "cell")
    for token in range(2):
        for i in range(6):
            out.append(cell(left + 1.2 * unit + (token * 6 + i) * (unit - 10), 158, unit - 12, 24, "input"))
    return 196, "".join(out)


DRAWINGS = {"cache": cache, "block": block, "graph": graph}
