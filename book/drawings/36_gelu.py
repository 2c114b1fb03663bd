"""Drawings of chapter 36: four elements through nine launches, and through one."""

from __future__ import annotations

import math

from drawings import cell, text

X = [-2.0, -0.5, 1.0, 3.0]
ROOT, CUBIC = math.sqrt(2 / math.pi), 0.044715
WIDE, HIGH = 62, 26
# Each vector: how it is called, what makes it, from which it is made.
STEPS = [
    ("half", "scale", ["x"], lambda v: 0.5 * v["x"]),
    ("square", "multiply", ["x"], lambda v: v["x"] * v["x"]),
    ("cube", "multiply", ["square", "x"], lambda v: v["square"] * v["x"]),
    ("cubic", "scale", ["cube"], lambda v: CUBIC * v["cube"]),
    ("sum", "add", ["x", "cubic"], lambda v: v["x"] + v["cubic"]),
    ("inner", "scale", ["sum"], lambda v: ROOT * v["sum"]),
    ("tanh", "tanh", ["inner"], lambda v: math.tanh(v["inner"])),
    ("one_plus", "shift", ["tanh"], lambda v: 1 + v["tanh"]),
    ("y", "multiply", ["half", "one_plus"], lambda v: v["half"] * v["one_plus"]),
]


def shown(value: float) -> str:
    """Three digits, as many as fit into a cell."""
    return (f"{value:.3f}" if abs(value) < 10 else f"{value:.3g}").rstrip("0").rstrip(".").replace("-", "−")


def values() -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"x": X}
    for name, _, reads, make in STEPS:
        found[name] = [make({read: found[read][i] for read in reads}) for i in range(len(X))]
    for x, y in zip(X, found["y"]):
        assert abs(y - 0.5 * x * (1 + math.tanh(ROOT * (x + CUBIC * x**3)))) < 1e-12
    return found


def vector(x: float, y: float, numbers: list[float], kind: str) -> str:
    return "".join(cell(x + WIDE * i, y, WIDE, HIGH, kind) + text(x + WIDE * (i + 0.5), y + 18, shown(number), "middle", "on small")
                   for i, number in enumerate(numbers))


def chain() -> tuple[int, str]:
    """A line a launch: what it reads, and the vector that it writes; all of them lie in memory."""
    found, left, name_at, row, top = values(), 330, 310, 34, 8
    out = [text(name_at, top + 18, "x", "end", "name"), vector(left, top, found["x"], "input"), text(left + WIDE * 4 + 20, top + 18, "in memory")]
    moved = 0
    for number, (name, operator, reads, _) in enumerate(STEPS):
        y = top + (number + 1) * row
        moved += len(reads) + 1
        out.append(text(0, y + 18, f"{number + 1}", "start", "small"))
        out.append(text(24, y + 18, f"{operator}({'x, x' if name == 'square' else ', '.join(reads)})", "start", "name"))
        out.append(text(name_at, y + 18, name, "end", "name"))
        out.append(vector(left, y, found[name], "output" if name == "y" else "intermediate"))
        out.append(text(left + WIDE * 4 + 20, y + 18, f"{len(reads)} read, 1 written: {moved} so far"))
    return top + (len(STEPS) + 1) * row + 4, "".join(out)


def fused() -> tuple[int, str]:
    """One launch: a column is a thread; between memory above and memory below all is in its registers."""
    found, left, name_at, top = values(), 330, 310, 8
    inside, high = ["inner", "tanh", "one_plus"], 24
    out = [text(name_at, top + 18, "x", "end", "name"), vector(left, top, found["x"], "input"), text(left + WIDE * 4 + 20, top + 18, "1 read")]
    middle = top + HIGH + 34
    bottom = middle + high * len(inside) + 34
    for i in range(len(X)):
        x = left + WIDE * (i + 0.5)
        out.append(f'<path class="own" d="M{x:g} {top + HIGH} V{middle - 6} m-4 -6 l4 6 l4 -6"/>')
        out.append(cell(x - WIDE / 2 + 3, middle - 4, WIDE - 6, high * len(inside) + 8, "cell"))
        for place, name in enumerate(inside):
            out.append(text(x, middle + high * place + 17, shown(found[name][i]), "middle", "small"))
        out.append(f'<path class="own" d="M{x:g} {middle + high * len(inside) + 4} V{bottom - 2} m-4 -6 l4 6 l4 -6"/>')
    for place, name in enumerate(inside):
        out.append(text(name_at, middle + high * place + 17, name, "end", "name"))
    out.append(text(left + WIDE * 4 + 20, middle + high + 17, "registers of four threads"))
    out.append(text(name_at, bottom + 18, "y", "end", "name"))
    out.append(vector(left, bottom, found["y"], "output"))
    out.append(text(left + WIDE * 4 + 20, bottom + 18, "1 written: 2 in all"))
    return bottom + HIGH + 6, "".join(out)


DRAWINGS = {"chain": chain, "fused": fused}
