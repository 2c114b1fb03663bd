"""Drawing of chapter 05: a column of values and a row of values make a matrix."""

from __future__ import annotations

from drawings import cell, text


def outer_difference() -> tuple[int, str]:
    a, b, shown = [5, 2, 7, 4], [1, 3, 0, 2, 6, 4, 1, 5], 2
    rows, columns, side, left, top = len(a), len(b), 34, 150, 62
    apart = 20  # between a vector and the matrix
    out = [text(left - apart - side / 2, top - 8, "a", "middle", "name"), text(left - apart - side - 10, top - 26, "a value a row", "end")]
    out.append(text(left + columns * side + 10, top - apart - side + 22, "b, a value a column"))
    for c, value in enumerate(b):
        x = left + c * side
        out.append(cell(x, top - apart - side, side, side, "input"))
        out.append(text(x + side / 2, top - apart - side + 22, str(value), "middle", "on"))
    for r, value in enumerate(a):
        y, mine = top + r * side, r == shown
        out.append(cell(left - apart - side, y, side, side, "input" if mine else "cell"))
        out.append(text(left - apart - side / 2, y + 22, str(value), "middle", "on" if mine else ""))
        for c, of_column in enumerate(b):
            out.append(cell(left + c * side, y, side, side, "output" if mine else "cell"))
            out.append(text(left + c * side + side / 2, y + 22, str(value - of_column), "middle", "on" if mine else ""))
    words = [f"Row {shown} is one warp here, of {columns} lanes.",
             f"All {columns} ask for a[{shown}], which is {a[shown]}: one address.",
             f"Each asks for its own element of b: {columns} neighbours.",
             "",
             f"Asked for by all threads: 2 × {rows * columns} = {2 * rows * columns} values.",
             f"Different values there are: {rows} + {columns} = {rows + columns}."]
    for line, said in enumerate(words):
        out.append(text(left + columns * side + 30, top + 16 + 21 * line, said))
    out.append(text(left, top + rows * side + 24, "out[r][c] = a[r] − b[c]", "start", "name"))
    return top + rows * side + 36, "".join(out)


DRAWINGS = {"outer_difference": outer_difference}
