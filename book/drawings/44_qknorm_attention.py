"""Drawings of chapter 44: one score with both norms before and behind its product; the parts of a query's keys brought to one maximum;
a fragment of sums times a fragment of factors."""

from __future__ import annotations

import math

from drawings import cell, text

QUERY, KEY = [1, 7, 5, 5], [4, 0, 2, 4]  # means of squares 25 and 9: rms 5 and 3
Q_GAIN, K_GAIN = [1, 2, 1, 1], [2, 1, 1, 1]
PARTS = [[1, 3, 2], [5, 4, 1], []]  # scores; the last part has no keys

SUMMED = [[2, 8, 4, 6], [3, 5, 1, 7], [4, 2, 8, 6], [9, 1, 5, 3]]  # four queries, four features
KEEPS = [0.5, 1, 0.25, 1]  # of each query
OF_ONE_LANE = ((0, 2), (1, 1), (2, 3), (3, 0))


def shown(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def rms(row: list[int]) -> float:
    return math.sqrt(sum(value * value for value in row) / len(row))


def behind() -> tuple[int, str]:
    """A score from four features: both rows normalised first, and the raw product divided twice."""
    out, side, height, left = [], 48, 28, 104

    def row(x: float, y: float, name: str, values, kind: str) -> None:
        out.append(text(x - 10, y + 19, name, "end", "name"))
        for i, value in enumerate(values):
            out.append(cell(x + side * i, y, side, height, kind))
            out.append(text(x + side * (i + 0.5), y + 19, shown(value), "middle", "" if kind in ("cell", "faint") else "on"))

    def single(x: float, y: float, value: float, kind: str, said: str) -> None:
        out.append(cell(x, y, side + 8, height, kind))
        out.append(text(x + (side + 8) / 2, y + 19, shown(value), "middle", "" if kind in ("cell", "faint") else "on"))
        out.append(text(x + side + 16, y + 19, said, "start", "small"))

    gains = [a * b for a, b in zip(Q_GAIN, K_GAIN)]
    q_norm = [value * gain / rms(QUERY) for value, gain in zip(QUERY, Q_GAIN)]
    k_norm = [value * gain / rms(KEY) for value, gain in zip(KEY, K_GAIN)]
    product = sum(q * k * gain for q, k, gain in zip(QUERY, KEY, gains))
    score = product / rms(QUERY) / rms(KEY) / math.sqrt(len(QUERY))
    assert math.isclose(score, sum(q * k for q, k in zip(q_norm, k_norm)) / math.sqrt(len(QUERY)))
    for number, x in enumerate((left, left + 396)):
        out.append(text(x, 16, ("normalise, then multiply", "multiply, then divide")[number]))
        row(x, 30, "q", QUERY, "input")
        row(x, 64, "k", KEY, "input")
        sums = x + side * 4 + 16
        if number == 0:
            single(sums, 30, rms(QUERY), "cell", "rms")
            single(sums, 64, rms(KEY), "cell", "rms")
            out.append(f'<path class="barrier" d="M{x - 80:g} 108 H{sums + side + 8:g}"/>')
            out.append(text(x - 80, 124, "nothing below before all of both rows has been seen", "start", "small"))
            row(x, 136, "q gq / rms", q_norm, "intermediate")
            row(x, 170, "k gk / rms", k_norm, "intermediate")
            out.append(text(sums, 155, f"product {shown(score * 2)}, ÷ √4:"))
            single(sums, 170, score, "output", "score")
        else:
            row(x, 102, "q gq gk k", [q * k * gain for q, k, gain in zip(QUERY, KEY, gains)], "cell")
            single(sums, 30, sum(value * value for value in QUERY), "cell", "squares of q")
            single(sums, 64, sum(value * value for value in KEY), "cell", "squares of k")
            single(sums, 102, product, "cell", "product")
            out.append(text(x, 160, f"rms = √({sum(v * v for v in QUERY)} / 4) = {shown(rms(QUERY))} and √({sum(v * v for v in KEY)} / 4) = {shown(rms(KEY))}"))
            out.append(text(x, 189, f"{product} / {shown(rms(QUERY))} / {shown(rms(KEY))} / √4"))
            single(sums, 170, score, "output", "score")
    said = ["(" + ", ".join(str(value) for value in values) + ")" for values in (Q_GAIN, K_GAIN)]
    out.append(text(left, 232, f"with the gains gq = {said[0]} and gk = {said[1]}"))
    return 244, "".join(out)


def parts() -> tuple[int, str]:
    """Three parts of one query's keys, each with its own maximum, and what makes one of them."""
    out, side, top = [], 40, 46
    largest = max(max(part) for part in PARTS if part)
    columns = {"part": 10, "scores": 76, "maximum": 240, "total": 340, "factor": 480, "given": 640}
    for name, said in (("scores", "scores of its keys"), ("maximum", "maximum"), ("total", "total"), ("factor", f"exp(maximum − {largest})"),
                       ("given", "factor × total")):
        out.append(text(columns[name] + (60 if name == "scores" else 30), 28, said, "middle", "small"))
    everything = 0.0
    for number, part in enumerate(PARTS):
        y = top + number * 40
        out.append(text(columns["part"], y + 20, f"part {number}", "start", "name"))
        if not part:
            out.append(text(columns["scores"] + 60, y + 20, "no keys", "middle", "small"))
        for i, score in enumerate(part):
            out.append(cell(columns["scores"] + i * side, y, side, 30, "intermediate"))
            out.append(text(columns["scores"] + (i + 0.5) * side, y + 20, str(score), "middle", "on"))
        maximum = max(part) if part else -math.inf
        total = sum(math.exp(score - maximum) for score in part)
        factor = math.exp(maximum - largest)
        everything += factor * total
        for name, value in (("maximum", "−∞" if not part else str(maximum)), ("total", f"{total:.3f}"), ("factor", f"{factor:.3f}"),
                            ("given", f"{factor * total:.3f}")):
            kind = "faint" if name in ("maximum", "total") else "cell"
            out.append(cell(columns[name] - 6, y, 72, 30, kind))
            out.append(text(columns[name] + 30, y + 20, value, "middle"))
    assert math.isclose(everything, sum(math.exp(score - largest) for part in PARTS for score in part))
    y = top + len(PARTS) * 40 + 4
    out.append(cell(columns["given"] - 6, y, 72, 30, "output"))
    out.append(text(columns["given"] + 30, y + 20, f"{everything:.3f}", "middle", "on"))
    out.append(text(columns["given"] - 18, y + 20, f"total of all keys, measured against {largest}", "end"))
    return y + 42, "".join(out)


def dealt() -> tuple[int, str]:
    """A tile of sums times a tile of factors, element by element; the elements of one lane are marked in all three."""
    out, side, top = [], 46, 40
    factors = [[keep] * len(row) for keep, row in zip(KEEPS, SUMMED)]
    products = [[keep * value for value in row] for keep, row in zip(KEEPS, SUMMED)]
    for x, name, values, kind in ((90, "summed", SUMMED, "intermediate"), (360, "factor", factors, "input"), (630, "summed", products, "output")):
        out.append(text(x + 2 * side, 24, name, "middle", "name"))
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                marked = (i, j) in OF_ONE_LANE
                out.append(cell(x + side * j, top + 32 * i, side, 32, kind if marked else "cell"))
                out.append(text(x + side * (j + 0.5), top + 32 * i + 21, shown(value), "middle", "on" if marked else ""))
    for x, sign in ((317, "×"), (587, "=")):
        out.append(text(x, top + 69, sign, "middle"))
    for i in range(len(SUMMED)):
        out.append(text(78, top + 32 * i + 21, f"query {i}", "end", "small"))
    return top + 4 * 32 + 14, "".join(out)


DRAWINGS = {"behind": behind, "parts": parts, "dealt": dealt}
