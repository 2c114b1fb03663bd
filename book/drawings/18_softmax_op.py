"""Drawing of chapter 18: the softmax of four numbers, by the textbook's formula in float and with the maximum subtracted."""

from __future__ import annotations

import ctypes
import math

from drawings import cell, text

X = [100.0, 101.0, 103.0, 102.0]
SIDE, HEIGHT, GAP, LABEL = 64, 30, 44, 150


def f32(value: float) -> float:
    return ctypes.c_float(value).value


def shown(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞"
    return f"{value:g}" if value == int(value) else f"{value:.3f}"


def divided(a: float, b: float) -> float:
    return math.nan if math.isinf(a) and math.isinf(b) else a / b


def two_ways() -> tuple[int, str]:
    out: list[str] = []

    def column(left: float, name: str, rows: list[tuple[str, list[float], str]], sum_at: int) -> int:
        out.append(text(left, 16, name, "start", "name"))
        for number, (said, values, kind) in enumerate(rows):
            y = 34 + number * (HEIGHT + GAP)
            out.append(text(left, y + 20, said))
            for i, value in enumerate(values):
                x = left + LABEL - 40 + i * SIDE
                bad = math.isnan(value) or math.isinf(value)
                out.append(cell(x, y, SIDE, HEIGHT, "cell" if bad else kind))
                out.append(text(x + SIDE / 2, y + 20, shown(value), "middle", "" if bad else "on"))
                if number:
                    out.append(f'<path class="own" d="M{x + SIDE / 2:g} {y - GAP} V{y}"/>')
            if number == sum_at:
                total = f32(sum(values))
                out.append(text(left, y + HEIGHT + 16, f"sum {shown(total)}"))
        return 34 + len(rows) * (HEIGHT + GAP) - GAP

    exps = [f32(math.exp(x)) for x in X]
    total = f32(sum(exps))
    column(0, "the formula as it stands", [("x", X, "input"), ("exp(x)", exps, "intermediate"),
                                           ("/ sum", [divided(e, total) for e in exps], "output")], 1)
    shifted = [x - max(X) for x in X]
    small = [math.exp(x) for x in shifted]
    height = column(450, "the maximum subtracted first", [("x", X, "input"), (f"x - {max(X):g}", shifted, "input"),
                                                          ("exp", small, "intermediate"), ("/ sum", [e / sum(small) for e in small], "output")], 2)
    return height + 12, "".join(out)


DRAWINGS = {"two_ways": two_ways}
