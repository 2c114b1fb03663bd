"""Drawings of chapter 45: scores of four keys by either order of the products, one walk over latent rows, and a part in fragments."""

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


def fragments() -> tuple[int, str]:
    """A part of --tensor: which warp has which tile, eight columns of tiles of 36 and 32."""
    out, columns, shares, warps = [], 8, 4, 8
    share = [column % shares for column in range(columns)]
    owner = [column % warps for column in range(columns)]

    def tiles(x: float, y: float, name: str, rows, kind: str, more: bool = False) -> None:
        out.append(text(x, y - 8, name, "start", "name"))
        out.append(grid(x, y, rows, kind))
        if more:
            out.append(text(x + SIDE * len(rows[0]) + 6, y + HIGH * len(rows) / 2 + 5, "..."))

    left, high, low, last = 20, 64, 132, 226
    out.append(text(left, 20, "scores: four warps share each sum"))
    tiles(left, high, "query, 16 heads", [share], "input", more=True)
    tiles(left, low, "32 latent rows, as keys: transposed", [share, share], "input", more=True)
    out.append(text(left, last - 8, "scores, 16 x 32", "start", "name"))
    for key_tile in range(2):
        out.append(cell(left + SIDE * 2 * key_tile, last, SIDE * 2, HIGH, "intermediate"))
        out.append(text(left + SIDE * (2 * key_tile + 1), last + 18, "0 to 3", "middle", "on"))

    left = 470
    out.append(text(left, 20, "sums: each warp has its own columns"))
    out.append(text(left, high - 8, "weights, 16 x 32", "start", "name"))
    for key_tile in range(2):
        out.append(cell(left + SIDE * 2 * key_tile, high, SIDE * 2, HIGH, "intermediate"))
        out.append(text(left + SIDE * (2 * key_tile + 1), high + 18, "all", "middle", "on"))
    tiles(left, low, "32 latent rows, as values: as they lie", [owner, owner], "input", more=True)
    tiles(left, last, "sums, 16 heads", [owner], "output", more=True)
    return last + HIGH + 14, "".join(out)


DRAWINGS = {"absorbed": absorbed, "walk": walk, "fragments": fragments}
