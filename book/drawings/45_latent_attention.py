"""Drawings of chapter 45: scores of four keys by either order of the products, and one walk over latent rows."""

from __future__ import annotations

import math

from drawings import cell, text

LATENT = [[1, 2], [0, 3], [2, 1], [1, 0]]  # ckv: four keys, two elements each
MATRIX = [[1, 0, 2], [2, 1, 1]]  # wk of one head: a row for each latent element, three elements
QUERY = [1, 2, 1]
SCORES, ROWS = [1, 3, 2, 4], LATENT  # of the walk
SIDE, HIGH = 34, 26


def product(row, matrix):
    return [sum(a * b for a, b in zip(row, column)) for column in zip(*matrix)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def grid(x: float, y: float, rows, kind: str) -> str:
    out = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            out.append(cell(x + SIDE * j, y + HIGH * i, SIDE, HIGH, kind))
            out.append(text(x + SIDE * (j + 0.5), y + HIGH * i + 18, f"{value:g}", "middle", "" if kind in ("cell", "faint") else "on"))
    return "".join(out)


def absorbed() -> tuple[int, str]:
    """Keys first, and the query first."""
    out = []
    keys = [product(row, MATRIX) for row in LATENT]
    query = [dot(row, QUERY) for row in MATRIX]
    scores = [[dot(key, QUERY)] for key in keys]
    assert scores == [[dot(row, query)] for row in LATENT]

    x, top = 20, 60
    out.append(text(x, 20, "keys first: a product for each key"))
    out.append(text(x, top - 8, "ckv", "start", "name"))
    out.append(grid(x, top, LATENT, "input"))
    out.append(text(x + 78, top + 58, "×", "middle"))
    out.append(text(x + 92, top + 18, "wk", "start", "name"))
    out.append(grid(x + 92, top + 26, MATRIX, "input"))
    out.append(text(x + 208, top + 58, "=", "middle"))
    out.append(text(x + 222, top - 8, "k", "start", "name"))
    out.append(grid(x + 222, top, keys, "intermediate"))
    out.append(text(x + 338, top + 58, "·", "middle"))
    out.append(text(x + 222, top + 150, "qn", "start", "name"))
    out.append(grid(x + 222, top + 158, [QUERY], "input"))
    out.append(text(x + 352, top - 8, "scores", "start", "name"))
    out.append(grid(x + 352, top, scores, "output"))
    first = len(LATENT) * len(QUERY) * len(query) + len(LATENT) * len(QUERY)
    out.append(text(x, top + 216, f"{first} products"))

    x = 470
    out.append(text(x, 20, "the query first: one product for all keys"))
    out.append(text(x, top + 18, "wk", "start", "name"))
    out.append(grid(x, top + 26, MATRIX, "input"))
    out.append(text(x, top + 150, "qn", "start", "name"))
    out.append(grid(x, top + 158, [QUERY], "input"))
    out.append(text(x + 116, top + 58, "=", "middle"))
    out.append(text(x + 130, top + 18, "qa", "start", "name"))
    out.append(grid(x + 130, top + 26, [[value] for value in query], "intermediate"))
    out.append(text(x + 190, top - 8, "ckv", "start", "name"))
    out.append(grid(x + 190, top, LATENT, "input"))
    out.append(text(x + 177, top + 58, "·", "middle"))
    out.append(text(x + 274, top + 58, "=", "middle"))
    out.append(text(x + 290, top - 8, "scores", "start", "name"))
    out.append(grid(x + 290, top, scores, "output"))
    second = len(QUERY) * len(query) + len(LATENT) * len(query)
    out.append(text(x, top + 216, f"{second} products"))
    return top + 230, "".join(out)


def walk() -> tuple[int, str]:
    """Four keys with their scores, and what is known after each."""
    out, left, wide = [], 130, 180
    largest, total, sums = -math.inf, 0.0, [0.0, 0.0]
    for row, name in ((66, "ckv"), (100, "score"), (152, "largest"), (186, "total"), (220, "sums")):
        out.append(text(left - 16, row, name, "end", "name"))
    for i, (score, row) in enumerate(zip(SCORES, ROWS)):
        larger = max(largest, score)
        keep, weight = math.exp(largest - larger), math.exp(score - larger)
        total = total * keep + weight
        sums = [value * keep + weight * element for value, element in zip(sums, row)]
        grown = larger > largest
        largest = larger
        x = left + wide * i
        out.append(text(x, 34, f"key {i}", "start", "small"))
        out.append(grid(x, 48, [row], "input"))
        out.append(cell(x, 82, SIDE, HIGH, "cell"))
        out.append(text(x + SIDE / 2, 100, f"{score}", "middle"))
        kind = "intermediate" if grown else "faint"
        for y, values, width in ((134, [f"{largest:g}"], SIDE * 2), (168, [f"{total:.2f}"], SIDE * 2), (202, [f"{value:.2f}" for value in sums], SIDE * 1.5)):
            for j, value in enumerate(values):
                out.append(cell(x + width * j, y, width, HIGH, kind))
                out.append(text(x + width * (j + 0.5), y + 18, value, "middle", "on" if grown else ""))
        if i:
            out.append(text(x - 56, 256, f"× {keep:.2f}, + {weight:.2f}", "start", "small"))
            out.append(f'<path class="own" d="M{x - 68:g} 181 H{x - 10:g} m-6 -4 l6 4 l-6 4"/>')
    weights = [math.exp(score - largest) for score in SCORES]
    assert math.isclose(total, sum(weights))
    assert all(math.isclose(value, dot(weights, column)) for value, column in zip(sums, zip(*ROWS)))
    out.append(text(left, 290, "z = sums / total = (" + ", ".join(f"{value / total:.2f}" for value in sums) + ")"))
    return 306, "".join(out)


DRAWINGS = {"absorbed": absorbed, "walk": walk}
