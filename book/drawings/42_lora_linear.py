"""Drawings of chapter 42: a layer and its adapter as one product, and the part of x a that each round has."""

from __future__ import annotations

from drawings import cell, text

X, W = [2, 1, 3, 1], [1, 4, 2, 3]  # one row of x, one column of w
A = [[1, 0], [0, 1], [2, 1], [1, 0]]  # four rows, rank 2
U = [2, -1]  # the same column of u
RANK = len(U)
SIDE, HEIGHT = 42, 30


def dot(left, right) -> int:
    return sum(a * b for a, b in zip(left, right))


def low(begin: int = 0, end: int = len(X)) -> list[int]:
    """x a, of the elements from begin to below end."""
    return [dot(X[begin:end], [row[r] for row in A[begin:end]]) for r in range(RANK)]


def shown(value: int) -> str:
    return str(value).replace("-", "−")


def boxes(out: list[str], x: float, y: float, values, kind: str) -> None:
    for i, value in enumerate(values):
        out.append(cell(x + SIDE * i, y, SIDE, HEIGHT, kind))
        out.append(text(x + SIDE * (i + 0.5), y + 20, shown(value), "middle", "" if kind in ("cell", "faint") else "on"))


def joined() -> tuple[int, str]:
    """One output: three products and a sum, and one product over joined rows and columns."""
    out: list[str] = []
    base, update = dot(X, W), dot(low(), U)
    row, column = X + low(), W + U
    assert dot(row, column) == base + update

    left = 62
    out.append(text(left, 18, "three products and a sum"))

    def line(y: float, name: str, values, kind: str, note: str = "") -> None:
        out.append(text(left - 10, y + 20, name, "end", "name"))
        boxes(out, left, y, values, kind)
        if note:
            out.append(text(left + SIDE * len(values) + 12, y + 20, note, "start", "small"))

    line(34, "x", X, "input")
    line(70, "w", W, "input", f"x w = {shown(base)}")
    out.append(f'<path class="barrier" d="M{left - 50:g} 112 H{left + 300:g}"/>')
    line(124, "x a", low(), "intermediate", "of x and the two columns of a")
    out.append(f'<path class="barrier" d="M{left - 50:g} 166 H{left + 300:g}"/>')
    line(178, "u", U, "input", f"(x a) u = {shown(update)}")
    out.append(f'<path class="barrier" d="M{left - 50:g} 220 H{left + 300:g}"/>')
    out.append(text(left, 248, f"y = {shown(base)} + {shown(update)}"))
    boxes(out, left + 126, 228, [base + update], "output")
    out.append(text(left, 282, "lines: where one launch ends and the next begins", "start", "small"))

    left = 500
    out.append(text(left, 18, "one product"))
    for y, first, second, name in ((34, X, low(), "[x | x a]"), (70, W, U, "[w over u]")):
        out.append(text(left - 10, y + 20, name, "end", "name"))
        boxes(out, left, y, first, "input")
        boxes(out, left + SIDE * len(X) + 8, y, second, "intermediate" if second == low() else "input")
    products = [a * b for a, b in zip(row, column)]
    out.append(text(left - 10, 126, "products", "end", "name"))
    boxes(out, left, 106, products[:len(X)], "cell")
    boxes(out, left + SIDE * len(X) + 8, 106, products[len(X):], "cell")
    out.append(text(left, 248, "y = " + " + ".join(map(shown, products)).replace("+ −", "− ")))
    boxes(out, left + 236, 228, [sum(products)], "output")
    out.append(text(left, 168, "the seam: element 4 of the row is element 0 of x a,", "start", "small"))
    out.append(text(left, 184, "row 4 of the column is row 0 of u", "start", "small"))
    return 296, "".join(out)


def rounds() -> tuple[int, str]:
    """Two rounds of two elements each: x a grows and meets u once, or each part of it meets u."""
    out: list[str] = []
    half = len(X) // 2
    parts = [low(0, half), low(half)]
    assert [sum(values) for values in zip(*parts)] == low()
    bases = [dot(X[:half], W[:half]), dot(X[half:], W[half:])]
    for number, left in enumerate((92, 530)):
        out.append(text(left, 18, ("--fused: u once, at the end", "--concat: u in every round")[number]))
        so_far, total = [0] * RANK, 0
        for i, y in enumerate((34, 104)):
            out.append(text(left - 10, y + 20, f"round {i + 1}", "end", "name"))
            boxes(out, left, y, X[i * half:(i + 1) * half], "input")
            so_far = [a + b for a, b in zip(so_far, parts[i])]
            boxes(out, left + 104, y, parts[i] if number else so_far, "intermediate")
            out.append(text(left + 104, y + 46, "x a of these" if number else "x a so far", "start", "small"))
            total += bases[i] + (dot(parts[i], U) if number else 0)
            boxes(out, left + 208, y, [total], "cell")
            said = f"+ {bases[i]}" + (f" + {shown(dot(parts[i], U))}" if number else "")
            out.append(text(left + 258, y + 20, said))
            out.append(text(left + 208, y + 46, "sum", "start", "small"))
        y = 174
        out.append(text(left - 10, y + 20, "behind", "end", "name"))
        if number:
            out.append(text(left, y + 20, "nothing left"))
        else:
            out.append(text(left, y + 20, f"x a · u = {shown(dot(so_far, U))}"))
            total += dot(so_far, U)
        boxes(out, left + 208, y, [total], "output")
        if not number:
            out.append(text(left + 258, y + 20, f"+ {shown(dot(so_far, U))}"))
        assert total == dot(X + low(), W + U)
    return 218, "".join(out)


DRAWINGS = {"joined": joined, "rounds": rounds}
