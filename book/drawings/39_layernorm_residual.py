"""Drawings of chapter 39: Welford's method on six values, loads of 4 and 16 bytes, and where the residual is added."""

from __future__ import annotations

from fractions import Fraction

from drawings import cell, text

FIRST, SECOND = [4, 8, 3, 5], [10, 12]  # the values of two threads


def added(values: list[int]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """(count, mean, m2) after each value."""
    count = mean = m2 = Fraction(0)
    states = []
    for value in values:
        delta = value - mean
        count += 1
        mean += delta / count
        m2 += delta * (value - mean)
        states.append((count, mean, m2))
    return states


def merged(a, b):
    share, delta = b[0] / (a[0] + b[0]), b[1] - a[1]
    return a[0] + b[0], a[1] + delta * share, a[2] + b[2] + delta * delta * a[0] * share


def welford() -> tuple[int, str]:
    """Two threads take in their values one by one; then the two states are merged."""
    out, left, apart, box, row = [], 150, 118, 96, 28

    def state(x: float, y: float, values, kind: str) -> None:
        for line, value in enumerate(values):
            out.append(cell(x, y + line * row, box, row, kind))
            out.append(text(x + box / 2, y + line * row + 19, f"{float(value):g}", "middle", "" if kind == "cell" else "on"))

    def thread(y: float, name: str, values: list[int]) -> None:
        out.append(text(0, y + 20, name, "start", "name"))
        for line, what in enumerate(("count", "mean", "m2")):
            out.append(text(left - 14, y + 46 + line * row + 19, what, "end", "name"))
        for number, (value, after) in enumerate(zip(values, added(values))):
            x = left + number * apart
            out.append(cell(x + box / 2 - 20, y, 40, row, "input"))
            out.append(text(x + box / 2, y + 19, str(value), "middle", "on"))
            state(x, y + 46, after, "output" if number == len(values) - 1 else "cell")
            if number:
                out.append(f'<path class="own" d="M{x - 20:g} {y + 46 + 1.5 * row:g} H{x - 3:g} m-6 -4 l6 4 l-6 4"/>')

    thread(4, "thread 0", FIRST)
    thread(166, "thread 1", SECOND)
    both = merged(added(FIRST)[-1], added(SECOND)[-1])
    every = FIRST + SECOND
    mean = Fraction(sum(every), len(every))
    assert both == (len(every), mean, sum((value - mean) ** 2 for value in every))
    x, y = left + 5 * apart, 140
    out.append(text(x + box / 2, y - 12, "merged", "middle", "name"))
    state(x, y, both, "intermediate")
    out.append(f'<path class="sent" d="M{left + 3 * apart + box + 4:g} {50 + 1.5 * row:g} L{x - 6:g} {y + row:g}"/>')
    out.append(f'<path class="sent" d="M{left + apart + box + 4:g} {212 + 1.5 * row:g} L{x - 6:g} {y + 2 * row:g}"/>')
    return 306, "".join(out)


def vectors() -> tuple[int, str]:
    """A row of 16 floats: a load each, or four to a load; and rows of 5, which begin in the middle of a vector."""
    out, left, side, lanes = [], 150, 40, 4
    kinds = ["input", "output", "intermediate", "faint"]

    def row(y: float, count: int, lane_of, words: str) -> None:
        out.append(text(0, y + 26, words))
        for i in range(count):
            kind = kinds[lane_of(i)]
            out.append(cell(left + side * i, y, side, side, kind))
            out.append(text(left + side * (i + 0.5), y + 26, str(lane_of(i)), "middle", "" if kind == "faint" else "on"))

    row(6, 16, lambda i: i % lanes, "4 bytes a load")
    for load in range(16 // lanes):
        x = left + side * lanes * load
        out.append(f'<path class="own" d="M{x + 3:g} 52 v8 H{x + side * lanes - 3:g} v-8"/>')
        out.append(text(x + side * lanes / 2, 78, f"load {load}", "middle", "small"))
    row(104, 16, lambda i: i // lanes, "16 bytes a load")
    out.append(f'<path class="own" d="M{left + 3:g} 150 v8 H{left + side * 16 - 3:g} v-8"/>')
    out.append(text(left + side * 8, 176, "load 0", "middle", "small"))
    y = 214
    out.append(text(0, y + 20, "rows of 5 floats"))
    for i in range(15):
        out.append(cell(left + side * i, y, side, 30, "faint" if i // 5 == 1 else "cell"))
        out.append(text(left + side * (i + 0.5), y + 20, f"{i // 5},{i % 5}", "middle", "small"))
    for number in range(5):
        x = left + side * lanes * number
        if number < 4:
            out.append(f'<path class="barrier" d="M{x:g} {y - 10} V{y + 42}"/>')
            out.append(text(x, y + 58, f"byte {16 * number}", "middle" if number else "start", "small"))
    out.append(text(left + side * 5, y - 6, "row 1: byte 20", "start", "small"))
    return y + 70, "".join(out)


def order() -> tuple[int, str]:
    """LN(x) + residual, where the residual is the layer's input; and LN(x + residual)."""
    out = []

    def box(x: float, y: float, width: float, words: str, kind: str = "cell") -> None:
        out.append(cell(x, y, width, 30, kind))
        out.append(text(x + width / 2, y + 20, words, "middle", "on" if kind != "cell" else ""))

    def arrow(path: str, kind: str = "own") -> None:
        out.append(f'<path class="{kind}" d="{path} m-6 -4 l6 4 l-6 4"/>')

    for y, name, parts in ((20, "asked for", ("LayerNorm of x", "+ residual")), (130, "the other order", ("x + residual", "LayerNorm of the sum"))):
        out.append(text(0, y + 20, name))
        box(150, y, 70, "x", "input")
        box(150, y + 44, 90, "residual", "input")
        first, second = 310, 540
        arrow(f"M220 {y + 15} H{first}")
        box(first, y, 180, parts[0])
        arrow(f"M{first + 180} {y + 15} H{second}")
        box(second, y, 180, parts[1])
        arrow(f"M{second + 180} {y + 15} H780")
        box(780, y, 70, "out", "output")
        target = second if y == 20 else first
        out.append(f'<path class="sent" d="M240 {y + 59} H{target + 90} V{y + 32} m-4 6 l4 -6 l4 6"/>')
    return 220, "".join(out)


DRAWINGS = {"welford": welford, "vectors": vectors, "order": order}
