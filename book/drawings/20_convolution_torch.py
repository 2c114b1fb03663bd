"""Drawings of chapter 20: where an element goes and comes back from, and the two gradients on four elements."""

from __future__ import annotations

from drawings import cell, text

X = [3, 1, 4, 2]
FILTER = [2, 1, -1]
GRAD = [1, 0, 2, -1]


def signed(value: int) -> str:
    return str(value).replace("-", "−")


def row(out: list[str], left: float, y: float, side: float, name: str, values: list, kinds) -> None:
    out.append(text(left - 12, y + 20, name, "end", "name"))
    for i, value in enumerate(values):
        kind = kinds(i)
        out.append(cell(left + i * side, y, side, 30, kind))
        out.append(text(left + (i + 0.5) * side, y + 20, signed(value), "middle", "" if kind in ("cell", "faint") else "on"))


def ways() -> tuple[int, str]:
    """x[2] goes into three results; its gradient comes back from the same three."""
    side, top, out = 52, 10, []
    results = [sum(w * X[i + k] for k, w in enumerate(FILTER) if i + k < len(X)) for i in range(len(X))]
    grads = [sum(w * GRAD[j - k] for k, w in enumerate(FILTER) if j - k >= 0) for j in range(len(X))]
    chosen = 2
    for number, (left, upper, lower, above, below) in enumerate(((90, "x", "out", X, results), (540, "grad", "grad_x", GRAD, grads))):
        row(out, left, top, side, upper, above, lambda i, n=number: "input" if (n == 0 and i == chosen) or (n == 1 and i <= chosen) else "cell")
        row(out, left, top + 100, side, lower, below, lambda i, n=number: "output" if (n == 1 and i == chosen) or (n == 0 and i <= chosen) else "cell")
        for k, weight in enumerate(FILTER):
            at = chosen - k
            upper_x, lower_x = (chosen, at) if number == 0 else (at, chosen)
            x0, x1 = left + (upper_x + 0.5) * side, left + (lower_x + 0.5) * side
            out.append(f'<path class="sent" d="M{x0:g} {top + 30} L{x1:g} {top + 100}"/>')
            middle = 0.66 if number == 0 else 0.34
            out.append(text(x0 + (x1 - x0) * middle + 5, top + 30 + 70 * middle + 4, signed(weight), "start", "small"))
    terms = " + ".join(f"{signed(w)}·{signed(GRAD[chosen - k])}" for k, w in enumerate(FILTER)).replace("+ −", "− ")
    out.append(text(90, top + 156, f"x[{chosen}] goes into out[{chosen}], out[{chosen - 1}] and out[{chosen - 2}]"))
    out.append(text(540, top + 156, f"{terms} = {signed(grads[chosen])}"))
    return top + 168, "".join(out)


def taps() -> tuple[int, str]:
    """The gradient of each tap: grad beside x moved by k."""
    side, top, left, out = 44, 10, 120, []
    for k in range(len(FILTER)):
        y = top + k * 88
        row(out, left, y, side, "grad", GRAD, lambda i, k=k: "input" if i + k < len(X) else "cell")
        row(out, left, y + 34, side, f"x, from {k} on", [X[i + k] if i + k < len(X) else 0 for i in range(len(X))],
            lambda i, k=k: "input" if i + k < len(X) else "cell")
        pairs = [(GRAD[i], X[i + k]) for i in range(len(X) - k)]
        terms = " + ".join(f"{signed(a)}·{b}" for a, b in pairs).replace("+ −", "− ")
        at = left + len(X) * side + 30
        out.append(text(at, y + 38, f"{terms} ="))
        out.append(cell(at + 190, y + 18, side, 30, "output"))
        out.append(text(at + 190 + side / 2, y + 38, signed(sum(a * b for a, b in pairs)), "middle", "on"))
        out.append(text(at + 190 + side + 12, y + 38, f"gradient of filter[{k}]", "start", "name"))
    return top + len(FILTER) * 88 - 10, "".join(out)


DRAWINGS = {"ways": ways, "taps": taps}
