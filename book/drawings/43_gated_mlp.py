"""Drawings of chapter 43: one output from two sums in one loop, how often blocks wait, and who multiplies which fragments."""

from __future__ import annotations

import math

from drawings import cell, text

X, U, W = [1, 2, -1, 3], [2, -1, 1, 0], [1, 1, 2, 1]


def silu(a: float) -> float:
    return a / (1.0 + math.exp(-a))


def shown(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def two_sums() -> tuple[int, str]:
    """One output from four elements of x: each is used for both sums, and SiLU waits for the first of them."""
    out, side, height, left = [], 56, 30, 90

    def box(x: float, y: float, value: float, kind: str) -> None:
        out.append(cell(x, y, side, height, kind))
        out.append(text(x + side / 2, y + 20, shown(value), "middle", "" if kind in ("cell", "faint") else "on"))

    def row(y: float, name: str, values, kind: str) -> None:
        out.append(text(left - 12, y + 20, name, "end", "name"))
        for i, value in enumerate(values):
            box(left + side * i, y, value, kind)

    gates = [x * u for x, u in zip(X, U)]
    ups = [x * w for x, w in zip(X, W)]
    end = left + 4 * side
    row(30, "x u", gates, "cell")
    row(84, "x", X, "input")
    row(138, "x w", ups, "cell")
    for i in range(4):
        middle = left + side * (i + 0.5)
        out.append(f'<path class="sent" d="M{middle:g} 84 V60"/><path class="sent" d="M{middle:g} 114 V138"/>')
    for y, values, name in ((30, gates, "gate"), (138, ups, "up")):
        out.append(f'<path class="own" d="M{end + 4:g} {y + 15} H{end + 66:g} m-6 -4 l6 4 l-6 4"/>')
        out.append(text(end + 35, y + 8, "add up", "middle", "small"))
        box(end + 70, y, sum(values), "intermediate")
        out.append(text(end + 70 + side / 2, y - 8, name, "middle", "small"))
    after = end + 70 + side
    out.append(f'<path class="own" d="M{after + 4:g} 45 H{after + 66:g} m-6 -4 l6 4 l-6 4"/>')
    out.append(text(after + 35, 38, "SiLU", "middle", "small"))
    box(after + 70, 30, silu(sum(gates)), "cell")
    last = after + 70 + side + 90
    result = silu(sum(gates)) * sum(ups)
    out.append(f'<path class="own" d="M{after + 70 + side:g} 45 L{last - 4:g} 95 m-7 0 l7 0 l-3 -7"/>')
    out.append(f'<path class="own" d="M{after + 4:g} 153 L{last - 4:g} 103 m-3 7 l3 -7 l-7 0"/>')
    box(last, 84, result, "output")
    out.append(text(last + side / 2, 76, "y", "middle", "small"))
    terms = " + ".join(f"SiLU({shown(g)})" for g in gates)
    wrong = sum(silu(g) for g in gates)
    assert abs(wrong - silu(sum(gates))) > 1
    said = ["(" + ", ".join(shown(value) for value in values) + ")" for values in (U, W)]
    out.append(text(left, 200, f"a row of x, with this column of u = {said[0]} and of w = {said[1]}"))
    out.append(text(left, 224, f"SiLU({shown(sum(gates))}) = {shown(silu(sum(gates)))}, but {terms} = {shown(wrong)}"))
    return 236, "".join(out)


def waits() -> tuple[int, str]:
    """Four tiles along h: in two loops, in one loop with two sums, and in two blocks at the same time."""
    out, left, wait, add, height = [], 130, 50, 22, 24

    def loop(x: float, y: float, tiles: str, sums: int, kind: str) -> float:
        for _ in range(4):
            out.append(cell(x, y, wait, height, "faint"))
            out.append(text(x + wait / 2, y + 16, tiles, "middle", "small"))
            x += wait
            out.append(cell(x, y, add * (1 + 0.5 * (sums - 1)), height, kind))
            x += add * (1 + 0.5 * (sums - 1))
        return x

    def end(x: float, y: float) -> float:
        out.append(cell(x, y, 12, height, "output"))
        return x + 12

    out.append(text(left - 12, 56, "--epilogue", "end", "name"))
    x = loop(left, 40, "x u", 1, "input")
    out.append(f'<path class="barrier" d="M{x + 9:g} 30 V74"/>')
    out.append(text(x + 9, 22, "next launch", "middle", "small"))
    end(loop(x + 18, 40, "x w", 1, "input"), 40)
    out.append(text(left - 12, 116, "--fused", "end", "name"))
    end(loop(left, 100, "x u w", 2, "input"), 100)
    out.append(text(left - 12, 189, "--interleaved", "end", "name"))
    end(loop(left, 160, "x uw", 1, "input"), 160)
    end(loop(left, 190, "x uw", 1, "input"), 190)
    out.append(text(left + 4 * (wait + add) + 24, 176, "a block with the first columns of uw", "start", "small"))
    out.append(text(left + 4 * (wait + add) + 24, 206, "another, with the columns behind them", "start", "small"))
    y = 240
    for x, kind, words, width in ((left, "faint", "waits for these tiles", 26), (left + 190, "input", "adds up", 22), (left + 300, "output", "SiLU, product, store", 12)):
        out.append(cell(x, y, width, 16, kind))
        out.append(text(x + width + 8, y + 13, words, "start", "small"))
    return y + 26, "".join(out)


def fragments() -> tuple[int, str]:
    """A block of --tensor: eight steps along h shared by four warps, and where the parts of their sums go."""
    out, side, steps, warps, mine = [], 26, 8, 4, 1
    left, top, gap = 60, 34, 22
    below = top + side * steps + gap  # of x and the sums
    columns = {"u": left + side * steps + gap}
    columns["w"] = columns["u"] + 2 * side + gap

    def fragment(x: float, y: float, step: int, kind: str) -> None:
        own = step % warps == mine
        out.append(cell(x, y, side, side, kind if own else "cell"))
        out.append(text(x + side / 2, y + side / 2 + 5, str(step % warps), "middle", "on" if own else "small"))

    for step in range(steps):
        fragment(left + side * step, below, step, "input")
        for x in columns.values():
            for n in range(2):
                fragment(x + side * n, top + side * step, step, "intermediate")
    out.append(text(left - 12, below + 18, "x", "end", "name"))
    for name, x in columns.items():
        out.append(text(x + side, top - 10, name, "middle", "name"))
    for name, x in (("gate", columns["u"]), ("up", columns["w"])):
        for warp in reversed(range(warps)):
            for n in range(2):
                out.append(cell(x + side * n + 4 * warp, below + 4 * warp, side, side, "input" if warp == 0 else "faint"))
        out.append(text(x + side, below + side + 32, name, "middle", "small"))
    behind = columns["w"] + 2 * side + 20
    out.append(f'<path class="barrier" d="M{behind + 4:g} {below - 8:g} V{below + side + 16:g}"/>')
    out.append(f'<path class="own" d="M{behind + 14:g} {below + side / 2:g} H{behind + 190:g} m-6 -4 l6 4 l-6 4"/>')
    out.append(text(behind + 102, below + side / 2 - 10, "add up, SiLU, product", "middle", "small"))
    for n in range(2):
        out.append(cell(behind + 198 + side * n, below, side, side, "output"))
    out.append(text(behind + 198 + side, below - 8, "y", "middle", "name"))
    words = ("A box is a fragment, 16 × 16 elements. Its number", "is the warp that takes it; filled are those of warp 1.", "",
             "A fragment of x meets one of u and one of w, for", "each 16 columns of the block.", "",
             "Every warp has a part of both sums. They are added", "up behind the barrier, and SiLU comes after that.")
    for i, line in enumerate(words):
        out.append(text(behind + 10, top + 16 + 22 * i, line, "start", "small"))
    return below + side + 46, "".join(out)


DRAWINGS = {"two_sums": two_sums, "waits": waits, "fragments": fragments}
