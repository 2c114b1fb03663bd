"""Drawings of chapter 41: a division before and behind a sum, where a tile's squares are taken, and fragments."""

from __future__ import annotations

import math

from drawings import cell, text

X, GAIN, W = [2, 6, 10, 2], [1, 2, 1, 3], [3, 1, 1, 2]  # mean of squares 36: rms 6


def rms() -> float:
    return math.sqrt(sum(value * value for value in X) / len(X))


def shown(value: float) -> str:
    return f"{value:.3g}"


def moved() -> tuple[int, str]:
    """One output from four elements: normalised first, and divided at the end."""
    out, side, height, left = [], 52, 30, 110
    root = rms()

    def row(x: float, y: float, name: str, values, kind: str) -> None:
        out.append(text(x - 12, y + 20, name, "end", "name"))
        for i, value in enumerate(values):
            out.append(cell(x + side * i, y, side, height, kind))
            out.append(text(x + side * (i + 0.5), y + 20, shown(value), "middle", "" if kind in ("cell", "faint") else "on"))

    def single(x: float, y: float, value: float, kind: str) -> None:
        out.append(cell(x, y, side, height, kind))
        out.append(text(x + side / 2, y + 20, shown(value), "middle", "" if kind in ("cell", "faint") else "on"))

    products = [value * gain * weight for value, gain, weight in zip(X, GAIN, W)]
    assert math.isclose(sum(product / root for product in products), sum(products) / root)
    for number, x in enumerate((left, left + 420)):
        out.append(text(x, 18, ("divide, then add up", "add up, then divide")[number]))
        row(x, 34, "x", X, "input")
        squares = [value * value for value in X]
        row(x, 34 + 44, "x²", squares, "cell")
        sums_x = x + side * 4 + 22
        if number == 0:
            single(sums_x, 78, root, "output")
            out.append(text(sums_x + side / 2, 78 - 8, "rms", "middle", "small"))
            out.append(f'<path class="barrier" d="M{x - 90:g} 126 H{sums_x + side:g}"/>')
            out.append(text(x - 88, 142, "nothing below before all of x has been seen", "start", "small"))
            row(x, 156, "x g / rms", [value * gain / root for value, gain in zip(X, GAIN)], "intermediate")
            row(x, 200, "× w", [product / root for product in products], "cell")
            single(sums_x, 200, sum(products) / root, "output")
            out.append(text(sums_x + side / 2, 192, "y", "middle", "small"))
        else:
            row(x, 122, "x g w", products, "cell")
            single(sums_x, 78, sum(squares), "cell")
            single(sums_x, 122, sum(products), "cell")
            out.append(text(sums_x + side / 2, 70, "sums", "middle", "small"))
            out.append(text(x, 188, f"rms = √({sum(squares)} / {len(X)}) = {shown(root)}"))
            out.append(text(x, 220, f"y = {sum(products)} / {shown(root)}"))
            single(sums_x, 200, sum(products) / root, "output")
            out.append(text(sums_x + side / 2, 192, "y", "middle", "small"))
    said = ["(" + ", ".join(str(value) for value in values) + ")" for values in (GAIN, W)]
    out.append(text(left, 268, f"of one row x, with g = {said[0]} and this column's w = {said[1]}"))
    return 282, "".join(out)


def flight() -> tuple[int, str]:
    """An element of x on its way from memory to the tile: squared, and multiplied by its gain."""
    out, y = [], 54

    def box(x: float, top: float, width: float, words: str, kind: str) -> None:
        out.append(cell(x, top, width, 34, kind))
        out.append(text(x + width / 2, top + 22, words, "middle", "" if kind in ("cell", "faint") else "on"))

    def arrow(path: str) -> None:
        out.append(f'<path class="own" d="{path} m-6 -4 l6 4 l-6 4"/>')

    box(20, y, 120, "x in DRAM", "input")
    arrow(f"M140 {y + 17} H216")
    box(218, y, 150, "value (register)", "cell")
    arrow(f"M368 {y + 17} H516")
    out.append(text(442, y + 8, "× g", "middle"))
    box(518, y, 130, "x tile (shared)", "intermediate")
    arrow(f"M648 {y + 17} H696")
    box(698, y, 140, "products += …", "output")
    arrow(f"M293 {y + 34} V{y + 91} H516")
    out.append(text(442, y + 83, "× itself", "middle"))
    box(518, y + 74, 130, "squares += …", "output")
    out.append(text(518, 36, "16 threads use it", "start", "small"))
    out.append(text(518, y + 128, "1 thread adds it, for its row", "start", "small"))
    return y + 142, "".join(out)


def fragments() -> tuple[int, str]:
    """The fragments of one block of --tensor, with two warps and four steps: those of warp 0 stand out."""
    warps, steps, deep, across, side = 2, 4, 4, 4, 18
    rows, out = steps * deep, []
    x_left, w_left, w_top = 80, 430, 26
    x_top = w_top + rows * side + 30

    def kind(part: int, own: str) -> str:
        return own if part // deep % warps == 0 else "faint"

    for part in range(rows):
        out.append(cell(x_left + part * side, x_top, side, side, kind(part, "intermediate")))
        for n in range(across):
            out.append(cell(w_left + n * side, w_top + part * side, side, side, kind(part, "input")))
    for n in range(across):
        out.append(cell(w_left + n * side, x_top, side, side, "output"))
    for step in range(steps):
        words = f"step {step}: warp {step % warps}"
        out.append(text(w_left + across * side + 14, w_top + (step + 0.5) * deep * side + 5, words, "start", "small"))
        out.append(text(x_left + (step + 0.5) * deep * side, x_top + side + 18, str(step), "middle", "small"))
    out.append(text(x_left - 14, x_top + side - 9, "x g", "end", "name"))
    out.append(text(w_left - 14, w_top + 18, "w", "end", "name"))
    out.append(text(w_left + across * side + 14, x_top + side - 9, "sums: 4 fragments in each warp", "start", "name"))
    return x_top + side + 30, "".join(out)


DRAWINGS = {"moved": moved, "flight": flight, "fragments": fragments}
