"""Drawings of chapter 13: windows of three taps over two blocks of four, and a window that slides over five elements."""

from __future__ import annotations

from drawings import cell, text

ELEMENTS = [3, 1, 4, 1, 5, 9, 2, 6]
FILTER = [2, 1, -1]


def convolved(elements: list[int], weights: list[int]) -> list[int]:
    """out[i] = sum over k of weights[k] * elements[i + k]; past the end there is 0."""
    return [sum(w * elements[i + k] for k, w in enumerate(weights) if i + k < len(elements)) for i in range(len(elements))]


def windows() -> tuple[int, str]:
    """Two blocks of four threads, three taps: block 0 needs two elements of block 1, and two zeros follow the end."""
    side, left, block, taps = 44, 150, 4, len(FILTER)
    results = convolved(ELEMENTS, FILTER)
    out = []
    for i, weight in enumerate(FILTER):
        out.append(cell(left + i * side, 6, side, 30, "cell"))
        out.append(text(left + (i + 0.5) * side, 26, str(weight), "middle"))
    out.append(text(left - 12, 26, "filter", "end", "name"))
    for number, top in ((0, 84), (1, 200)):
        first = number * block
        for i in range(len(ELEMENTS) + taps - 1):
            x, exists = left + i * side, i < len(ELEMENTS)
            kind = "input" if first <= i < first + block else "intermediate" if first + block <= i < first + block + taps - 1 else "cell"
            if exists or kind != "cell":
                out.append(cell(x, top, side, 30, kind))
                out.append(text(x + side / 2, top + 20, str(ELEMENTS[i]) if exists else "0", "middle", "" if kind == "cell" else "on"))
        for i in range(block):
            x = left + (first + i) * side
            out.append(cell(x, top + 62, side, 30, "output"))
            out.append(text(x + side / 2, top + 82, str(results[first + i]), "middle", "on"))
        last = first + block - 1
        for k in range(taps):
            out.append(f'<path class="sent" d="M{left + (last + k + 0.5) * side:g} {top + 30} L{left + (last + 0.5) * side:g} {top + 62}"/>')
        out.append(text(left - 12, top + 20, f"block {number} reads", "end", "name"))
        out.append(text(left - 12, top + 82, "and stores", "end", "name"))
        at = left + (last + 1) * side + 16
        terms = " + ".join(f"{w}·{ELEMENTS[last + k] if last + k < len(ELEMENTS) else 0}".replace("-", "−") for k, w in enumerate(FILTER))
        out.append(text(at, top + 82, f"{terms} = {results[last]}".replace("+ −", "− ").replace("= -", "= −")))
        halo = "its halo, elements of block 1" if number == 0 else "its halo, past the end"
        out.append(text(left + (first + block + taps - 1) * side + (12 if number else 2 * side + 12), top + 20, halo))
    return 306, "".join(out)


def sliding() -> tuple[int, str]:
    """A thread with three results and four taps: at each tap one element is new."""
    results, taps, side, left, row, top = 3, 4, 44, 250, 44, 40
    out = [text(left + (j + 0.5) * side, 24, f"a[{j}]", "middle", "small") for j in range(results + taps - 1)]
    for k in range(taps):
        y = top + k * row
        out.append(text(0, y + 20, f"tap {k}: the weight filter[{k}]", "start", "name"))
        for j in range(results + taps - 1):
            inside, new = k <= j < k + results, j == k + results - 1
            kind = "intermediate" if inside and (new or k == 0) else "input" if inside else "cell"
            out.append(cell(left + j * side, y, side, 30, kind))
            if inside:
                out.append(text(left + (j + 0.5) * side, y + 20, f"sum {j - k}", "middle", "on small"))
        said = f"{results} elements read, 1 weight" if k == 0 else "1 element read, 1 weight"
        out.append(text(left + (results + taps - 1) * side + 20, y + 20, said))
    reads, sums = results + (taps - 1) + taps, results * taps
    y = top + taps * row
    out.append(text(left + (results + taps - 1) * side + 20, y + 20, f"{reads} reads for {sums} multiply-adds,"))
    out.append(text(left + (results + taps - 1) * side + 20, y + 40, f"not {2 * sums}"))
    return y + 50, "".join(out)


DRAWINGS = {"windows": windows, "sliding": sliding}
