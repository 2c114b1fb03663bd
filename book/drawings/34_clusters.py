"""Drawings of chapter 34: three passes over a row, from global memory and held by a cluster; and the two ways in which
blocks get each other's numbers."""

from __future__ import annotations

from drawings import cell, text

VALUES = [3, 7, 2, 5, 1, 4, 9, 6, 2, 8, 3, 5]
BLOCKS = 4
PASSES = ("maximum", "sum", "divide")
HELD = len(VALUES) // BLOCKS
MAXIMA = [max(VALUES[block * HELD:(block + 1) * HELD]) for block in range(BLOCKS)]


def row(left: float, y: float, apart: float, kind: str) -> list[str]:
    """The row of values, with a gap between slices."""
    side, out = 24, []
    for i, value in enumerate(VALUES):
        x = left + i * side + i // HELD * apart
        out += [cell(x, y, side, 24, kind), text(x + side / 2, y + 17, str(value), "middle", "on" if kind == "input" else "small")]
    return out


def passes() -> tuple[int, str]:
    out = [text(10, 16, "three launches", "start", "name"), text(480, 16, "one launch, a cluster", "start", "name")]
    for number, name in enumerate(PASSES):
        y = 40 + number * 70
        out += [text(10, y + 16, name)] + row(100, y, 0, "input")
        out.append(text(100, y + 42, "read from global memory", "start", "small"))
        out += row(480, y, 14, "input" if number == 0 else "cell")
        said = "read from global memory, and held" if number == 0 else "in shared memory: of the four blocks"
        out.append(text(480, y + 42, said, "start", "small"))
    return 40 + len(PASSES) * 70, "".join(out)


def exchange() -> tuple[int, str]:
    out, side, apart = [], 30, 96
    for left, title in ((10, "pull"), (470, "push")):
        out.append(text(left, 16, title, "start", "name"))
        for block in range(BLOCKS):
            out.append(text(left + block * apart + side, 40, f"block {block}", "middle", "small"))
    for block, number in enumerate(MAXIMA):
        x = 10 + block * apart
        out += [cell(x + side / 2, 52, side, 28, "cell"), text(x + side, 71, str(number), "middle", "small")]
        for other, theirs in enumerate(MAXIMA):
            y = 120 + other * 28
            kind = "cell" if other == block else "input"
            out += [cell(x + side / 2, y, side, 28, kind), text(x + side, y + 19, str(theirs), "middle", "small" if other == block else "on")]
        x += 460
        for other, theirs in enumerate(MAXIMA):
            y = 52 + other * 28
            kind = "cell" if other == block else "input"
            out += [cell(x + side / 2, y, side, 28, kind), text(x + side, y + 19, str(theirs), "middle", "small" if other == block else "on")]
    out.append('<path class="own" d="M10 100 H392"/>')
    out.append('<path class="own" d="M470 182 H852"/>')
    out.append(text(10, 96, "cluster.sync()", "start", "small"))
    out.append(text(470, 178, "cluster.sync()", "start", "small"))
    out.append(text(10, 258, f"read by each block, from all four: the maximum is {max(MAXIMA)}", "start", "small"))
    out.append(text(470, 214, "stored by all four blocks; each then reads at home", "start", "small"))
    return 272, "".join(out)


DRAWINGS = {"passes": passes, "exchange": exchange}
