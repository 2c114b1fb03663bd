"""Drawings of chapter 42: a layer and its adapter as one product, the part of x a that each round has, and who multiplies which
fragments."""

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


def fragments() -> tuple[int, str]:
    """A block of --tensor: x meets [w | a], four steps shared by two warps, and where the parts of x a go."""
    out: list[str] = []
    side, steps, warps, wide = 28, 4, 2, 4
    left, top, gap = 60, 34, 22
    right_at = left + side * steps + gap  # of w, a and the sums
    a_at = right_at + side * wide + 6
    below = top + side * steps + gap  # of x and the sums

    def fragment(x: float, y: float, step: int, kind: str) -> None:
        out.append(cell(x, y, side, side, kind if step % warps == 0 else "cell"))
        out.append(text(x + side / 2, y + side / 2 + 5, str(step % warps), "middle", "on" if step % warps == 0 else "small"))

    for step in range(steps):
        fragment(left + side * step, below, step, "input")
        for n in range(wide):
            fragment(right_at + side * n, top + side * step, step, "input")
        fragment(a_at, top + side * step, step, "intermediate")
    out.append(text(left - 12, below + 18, "x", "end", "name"))
    out.append(text(right_at + side * wide / 2, top - 10, "w", "middle", "name"))
    out.append(text(a_at + side / 2, top - 10, "a", "middle", "name"))

    def sums(x: float, count: int, kind: str) -> None:
        for warp in reversed(range(warps)):
            for n in range(count):
                out.append(cell(x + side * n + 4 * warp, below + 4 * warp, side, side, kind if warp == 0 else "faint"))

    sums(right_at, wide, "input")
    sums(a_at + 4, 1, "intermediate")
    out.append(text(right_at + side * wide / 2, below + side + 24, "x w", "middle", "name"))
    out.append(text(a_at + 4 + side / 2, below + side + 24, "x a", "middle", "name"))

    # Behind the loop: each warp's x a meets u, its product goes on top of x w, and the warps' sums are added up.
    u_at, y_at = a_at + side + 150, a_at + side + 340
    u_top = below - side - 34
    for n in range(wide):
        out.append(cell(u_at + side * n, u_top, side, side, "input"))
        out.append(cell(u_at + side * n, below, side, side, "intermediate"))
        out.append(cell(y_at + side * n, below, side, side, "output"))
    middle = u_at + side * wide / 2
    out.append(text(middle, u_top - 10, "u", "middle", "name"))
    out.append(f'<path class="own" d="M{a_at + side + 14:g} {below + side / 2:g} H{u_at - 6:g} m-6 -4 l6 4 l-6 4"/>')
    out.append(text((a_at + side + u_at) / 2 + 6, below + side / 2 - 8, "as half, times u", "middle", "small"))
    out.append(text(middle, below + side + 24, "added to x w", "middle", "small"))
    out.append(f'<path class="barrier" d="M{u_at + side * wide + 18:g} {below - 10:g} V{below + side + 16:g}"/>')
    out.append(f'<path class="own" d="M{u_at + side * wide + 26:g} {below + side / 2:g} H{y_at - 6:g} m-6 -4 l6 4 l-6 4"/>')
    out.append(text(y_at + side * wide / 2, below - 10, "y", "middle", "name"))
    out.append(text(y_at + side * wide / 2, below + side + 24, "both warps added up", "middle", "small"))
    words = ("A number is the warp that takes this fragment.", "A fragment of x meets four of w and one of a.")
    for i, line in enumerate(words):
        out.append(text(u_at - 100, top + 6 + 22 * i, line, "start", "small"))
    return below + side + 40, "".join(out)


DRAWINGS = {"joined": joined, "rounds": rounds, "fragments": fragments}
