"""Drawing of chapter 15: a matrix of 4 x 8 summed in three ways, by warps of four lanes and sectors of four elements."""

from __future__ import annotations

from drawings import cell, text

A = [[3, 1, 2, 0, 1, 2, 0, 1], [1, 0, 2, 2, 1, 1, 3, 0], [2, 2, 0, 1, 0, 1, 1, 2], [0, 1, 1, 3, 2, 0, 1, 1]]
ROWS, COLS, LANES, DOWN = 4, 8, 4, 2
SIDE, TOP = 25, 58


def who_works() -> tuple[int, str]:
    out: list[str] = []

    def row_of(x: float, y: float, values: list[int], kind: str, label: str = "") -> None:
        for i, value in enumerate(values):
            out.append(cell(x + i * SIDE, y, SIDE, SIDE, kind))
            out.append(text(x + (i + 0.5) * SIDE, y + 17, str(value), "middle", "on small" if kind != "cell" else "small"))
        if label:
            out.append(text(x + len(values) * SIDE + 8, y + 17, label))

    def matrix(left: float, name: str, said: str, touched: set[tuple[int, int]]) -> None:
        """`touched` is what the four lanes read in their first step; a sector with one of them is fetched whole."""
        out.append(text(left, 16, name, "start", "name"))
        out.append(text(left, 38, said))
        fetched = {(row, col // LANES) for row, col in touched}
        for row in range(ROWS):
            for col in range(COLS):
                kind = "input" if (row, col) in touched else "faint" if (row, col // LANES) in fetched else "cell"
                out.append(cell(left + col * SIDE, TOP + row * SIDE, SIDE, SIDE, kind))
                out.append(text(left + (col + 0.5) * SIDE, TOP + row * SIDE + 17, str(A[row][col]), "middle", "on" if kind == "input" else ""))

    below = TOP + ROWS * SIDE

    left = 0
    touched = {(lane, 0) for lane in range(LANES)}
    matrix(left, "--thread-per-row", f"4 lanes, {len({(r, c // LANES) for r, c in touched})} sectors", touched)
    for row in range(ROWS):
        row_of(left + COLS * SIDE + 10, TOP + row * SIDE, [sum(A[row])], "output")
    out.append(text(left, below + 26, "Each lane walks along its row."))

    left = 300
    touched = {(0, lane) for lane in range(LANES)}
    matrix(left, "--block-per-row", f"4 lanes, {len({(r, c // LANES) for r, c in touched})} sector", touched)
    parts = [sum(A[0][lane::LANES]) for lane in range(LANES)]
    y = below + 12
    row_of(left, y, parts, "intermediate", "each lane's part of row 0")
    while len(parts) > 1:
        half = len(parts) // 2
        parts = [parts[i] + parts[i + half] for i in range(half)]
        y += SIDE + 6
        row_of(left, y, parts, "intermediate" if half > 1 else "output", "halves added" if half > 1 else "row 0")
    bottom = y + SIDE

    left = 600
    touched = {(0, lane) for lane in range(LANES)}
    matrix(left, "--columns", f"4 lanes, {len({(r, c // LANES) for r, c in touched})} sector", touched)
    parts2 = [[sum(A[row][lane] for row in range(ty, ROWS, DOWN)) for lane in range(LANES)] for ty in range(DOWN)]
    y = below + 12
    row_of(left, y, parts2[0], "intermediate", "ty 0: rows 0, 2")
    row_of(left, y + SIDE + 6, parts2[1], "intermediate", "ty 1: rows 1, 3")
    row_of(left, y + 2 * (SIDE + 6), [a + b for a, b in zip(*parts2)], "output", "columns 0 to 3")
    return max(bottom, y + 3 * SIDE + 12) + 12, "".join(out)


DRAWINGS = {"who_works": who_works}
