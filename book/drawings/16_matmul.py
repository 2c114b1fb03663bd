"""Drawings of chapter 16: a product in tiles of 2 x 2, and what two buffers let happen at the same time."""

from __future__ import annotations

from drawings import cell, text

A = [[1, 0, 2, 1], [3, 1, 0, 2], [0, 2, 1, 1], [1, 1, 2, 0]]
B = [[2, 1, 0, 1], [0, 3, 1, 2], [1, 1, 2, 0], [2, 0, 1, 1]]
SIZE, TILE = 4, 2


def partial(row: int, col: int, upto: int) -> int:
    return sum(A[row][k] * B[k][col] for k in range(upto))


def tiles() -> tuple[int, str]:
    """Block (0,0) of a product of 4 x 4: two rounds, a tile of A and one of B each."""
    side, gap, top, out = 30, 14, 44, []

    def matrix(x: float, y: float, kind_of, said) -> None:
        for i in range(SIZE):
            for j in range(SIZE):
                kind, words = kind_of(i, j), said(i, j)
                out.append(cell(x + j * side, y + i * side, side, side, kind))
                if words != "":
                    out.append(text(x + j * side + side / 2, y + i * side + 20, str(words), "middle", "" if kind in ("cell", "faint") else "on"))

    for number, first in enumerate(range(0, SIZE, TILE)):
        left = 40 + number * 400
        a_left, c_left = left, left + SIZE * side + gap
        b_top, c_top = top, top + SIZE * side + gap

        def of_a(i: int, j: int, first=first) -> str:
            return "input" if i < TILE and first <= j < first + TILE else "faint" if i < TILE else "cell"

        def of_b(i: int, j: int, first=first) -> str:
            return "input" if j < TILE and first <= i < first + TILE else "faint" if j < TILE else "cell"

        def of_c(i: int, j: int) -> str:
            return "output" if i < TILE and j < TILE else "cell"

        out.append(text(left, top - 24, f"first = {first}", "start", "name"))
        out.append(text(c_left, b_top - 8, "B", "start", "name"))
        out.append(text(a_left, c_top - 8, "A", "start", "name"))
        matrix(c_left, b_top, of_b, lambda i, j: B[i][j])
        matrix(a_left, c_top, of_a, lambda i, j: A[i][j])
        matrix(c_left, c_top, of_c, lambda i, j, upto=first + TILE: partial(i, j, upto) if i < TILE and j < TILE else "")
        out.append(text(c_left + SIZE * side + 10, c_top + 20, "C: the sums", "start"))
        out.append(text(c_left + SIZE * side + 10, c_top + 40, f"after {first + TILE} terms", "start"))
    bottom = top + 2 * SIZE * side + gap
    threads, each, loads = TILE * TILE, 2 * SIZE, SIZE // TILE * 2 * TILE * TILE
    out.append(text(40, bottom + 30, f"Without tiles: {threads} threads × {each} reads = {threads * each} reads of global memory."))
    out.append(text(40, bottom + 52, f"With tiles: {SIZE // TILE} rounds × 2 tiles × {TILE * TILE} elements = {loads} reads. Each element read serves {TILE} threads."))
    return bottom + 66, "".join(out)


def overlap() -> tuple[int, str]:
    """Three tiles after one another, and with two buffers."""
    left, load, work, height, out = 130, 118, 118, 30, []

    def box(x: float, y: float, width: float, kind: str, words: str) -> None:
        out.append(cell(x, y, width, height, kind))
        out.append(text(x + width / 2, y + 20, words, "middle", "on small"))

    def barrier(x: float, y: float, upto: float) -> None:
        out.append(f'<path class="barrier" d="M{x:g} {y:g} V{upto:g}"/>')

    y, x = 26, left
    out.append(text(0, y + 20, "--tiled", "start", "name"))
    for tile in range(3):
        box(x, y, load, "input", f"load {tile}")
        x += load
        barrier(x, y - 8, y + height + 8)
        box(x, y, work, "output", f"multiply {tile}")
        x += work
        barrier(x, y - 8, y + height + 8)
    y += 92
    out.append(text(0, y - 6, "--async-tiled", "start", "name"))
    out.append(text(0, y + 20, "copies"))
    out.append(text(0, y + 20 + height + 8, "sums"))
    x = left
    for tile in range(3):
        box(x, y, load, "input", f"copy {tile} → buffer {tile % 2}")
        if tile:
            box(x, y + height + 8, work, "output", f"multiply {tile - 1}")
        x += load if tile == 0 else work
        barrier(x, y - 8, y + 2 * height + 16)
    box(x, y + height + 8, work, "output", "multiply 2")
    end = y + 2 * height + 16
    out.append(text(left, end + 26, "Dashed: __syncthreads(). The widths are drawn, not measured."))
    return end + 40, "".join(out)


DRAWINGS = {"tiles": tiles, "overlap": overlap}
