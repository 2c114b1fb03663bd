"""Drawings of chapter 19: one query and four keys with their values; what lies in memory between the operators."""

from __future__ import annotations

import math

from drawings import cell, text

QUERY = [2, 0, 1, 1]
KEYS = [[1, 3, 2, 0], [0, 1, 0, 0], [2, 2, 1, 0], [0, 0, 1, 1]]
VALUES = [[8, 0], [2, 2], [0, 4], [4, 8]]


def minus(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def weigh() -> tuple[int, str]:
    """Scores, weights and weighted mean of one query."""
    side, top, out = 34, 66, []
    dots = [sum(a * b for a, b in zip(QUERY, key)) for key in KEYS]
    scores = [dot / math.sqrt(len(QUERY)) for dot in dots]
    largest = max(scores)
    weights = [math.exp(score - largest) for score in scores]
    total = sum(weights)
    columns = {"q": 66, "k": 66, "dot": 240, "score": 320, "weight": 410, "share": 500, "v": 610}
    for i, value in enumerate(QUERY):
        out.append(cell(columns["q"] + i * side, 6, side, 30, "input"))
        out.append(text(columns["q"] + (i + 0.5) * side, 26, str(value), "middle", "on"))
    out.append(text(columns["q"] - 10, 26, "q", "end", "name"))
    for name, said in (("dot", "q · k"), ("score", "÷ √4"), ("weight", "exp(s − max)"), ("share", "÷ total")):
        out.append(text(columns[name] + 20, 54, said, "middle", "small"))
    for j, key in enumerate(KEYS):
        y = top + j * 36
        for i, value in enumerate(key):
            out.append(cell(columns["k"] + i * side, y, side, 30, "input"))
            out.append(text(columns["k"] + (i + 0.5) * side, y + 20, str(value), "middle", "on"))
        out.append(text(columns["k"] - 10, y + 20, f"key {j}", "end", "name"))
        out.append(text(columns["dot"] + 20, y + 20, str(dots[j]), "middle"))
        for name, value in (("score", scores[j]), ("weight", weights[j]), ("share", weights[j] / total)):
            out.append(cell(columns[name] - 10, y, 60, 30, "intermediate"))
            out.append(text(columns[name] + 20, y + 20, minus(value), "middle", "on"))
        for c, value in enumerate(VALUES[j]):
            out.append(cell(columns["v"] + c * side, y, side, 30, "input"))
            out.append(text(columns["v"] + (c + 0.5) * side, y + 20, str(value), "middle", "on"))
        out.append(text(columns["v"] + 2 * side + 10, y + 20, f"value {j}", "start", "name"))
    y = top + len(KEYS) * 36 + 8
    out.append(text(columns["weight"] + 20, y + 20, f"total {minus(total)}", "middle", "small"))
    for c in range(2):
        mean = sum(w * v[c] for w, v in zip(weights, VALUES)) / total
        out.append(cell(columns["v"] + c * side, y, side, 30, "output"))
        out.append(text(columns["v"] + (c + 0.5) * side, y + 20, minus(mean, 1), "middle", "on small"))
    out.append(text(columns["v"] + 2 * side + 10, y + 20, "out", "start", "name"))
    return y + 40, "".join(out)


def between() -> tuple[int, str]:
    """What lies in memory, to scale: 64 features and values, 1024 keys; only a part of the queries."""
    width, narrow, height, top, out = 128, 8, 96, 40, []

    def matrix(x: float, y: float, w: float, h: float, kind: str, name: str) -> None:
        out.append(cell(x, y, w, h, kind))
        out.append(text(x + w / 2, y - 8, name, "middle", "name"))

    def arrow(x0: float, x1: float, y: float, said: str) -> None:
        out.append(f'<path class="sent" d="M{x0:g} {y} H{x1:g}"/>')
        out.append(text((x0 + x1) / 2, y - 6, said, "middle", "small"))

    out.append(text(0, top + 20, "unfused", "start", "name"))
    y = top
    matrix(110, y, narrow, height, "input", "q")
    arrow(124, 216, y + height / 2, "scores")
    matrix(222, y, width, height, "intermediate", "scores")
    arrow(356, 448, y + height / 2, "softmax")
    matrix(454, y, width, height, "intermediate", "weights")
    arrow(588, 680, y + height / 2, "product")
    matrix(686, y, narrow, height, "output", "out")
    y = top + height + 60
    out.append(text(0, y + 20, "fused", "start", "name"))
    matrix(110, y, narrow, height, "input", "q")
    out.append(f'<path class="sent" d="M124 {y + height / 2} H680"/>')
    out.append(text(402, y + height / 2 - 8, "tile after tile of 32 keys: score, weight, sum, forget", "middle", "small"))
    matrix(686, y, narrow, height, "output", "out")
    return y + height + 14, "".join(out)


DRAWINGS = {"weigh": weigh, "between": between}
