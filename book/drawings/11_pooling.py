"""Drawings of chapter 11: a window across the edge of a block, and the halo that a block loads."""

from __future__ import annotations

from drawings import cell, text

VALUES = [3, 7, 2, 6, 1, 8, 9, 1]
BLOCK = 4
SIDE = 46


def means(values: list[int]) -> list[int]:
    """The mean of each window of three; of two at the ends. VALUES are such that all are whole."""
    windows = [values[max(i - 1, 0):i + 2] for i in range(len(values))]
    assert all(sum(window) % len(window) == 0 for window in windows)
    return [sum(window) // len(window) for window in windows]


def row(left: float, top: float, values: list, kinds: list[str]) -> str:
    out = []
    for place, (value, kind) in enumerate(zip(values, kinds)):
        x = left + place * SIDE
        out.append(cell(x, top, SIDE, 32, kind))
        out.append(text(x + SIDE / 2, top + 21, str(value), "middle", "" if kind in ("cell", "faint") else "on"))
    return "".join(out)


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="{kind}" d="M{x1:g} {y1:g} L{x2:g} {y2:g}"/>'


def halo() -> tuple[int, str]:
    """Eight elements, blocks of four threads: from the array to two tiles, and from these to the results."""
    left, apart = 286, 92  # of the array; how far each block's tile and results are moved out
    array, tile, results = 40, 122, 236
    shade = ["input", "output"]  # block 0, block 1
    out = [row(left, array, VALUES, [shade[i // BLOCK] for i in range(len(VALUES))])]
    for i in range(len(VALUES)):
        out.append(text(left + (i + 0.5) * SIDE, array - 8, str(i), "middle", "name"))
    answers = means(VALUES)
    for block in range(2):
        first = block * BLOCK
        begin = left + first * SIDE + (apart if block else -apart)  # of the tile's place 1: the block's first element
        places = range(first - 1, first + BLOCK + 1)
        there = [0 <= i < len(VALUES) for i in places]
        own = [i // BLOCK == block for i in places]
        out.append(row(begin - SIDE, tile, [VALUES[i] if here else "–" for i, here in zip(places, there)],
                       ["cell" if not here else shade[block] if mine else "intermediate" for here, mine in zip(there, own)]))
        for place, (i, here, mine) in enumerate(zip(places, there, own)):
            if here:
                out.append(line("own" if mine else "sent", left + (i + 0.5) * SIDE, array + 32, begin + (place - 0.5) * SIDE, tile))
        out.append(row(begin, results, answers[first:first + BLOCK], [shade[block]] * BLOCK))
        for k in range(BLOCK):
            for j in (-1, 0, 1):
                if 0 <= first + k + j < len(VALUES):
                    kind = "own" if (first + k + j) // BLOCK == block else "sent"
                    out.append(line(kind, begin + (k + j + 0.5) * SIDE, tile + 32, begin + (k + 0.5) * SIDE, results))
        middle = begin + BLOCK * SIDE / 2
        out.append(text(middle, results + 52, f"block {block}", "middle", "name"))
        out.append(f'<path class="barrier" d="M{begin - SIDE:g} {(tile + 32 + results) / 2:g} H{begin + (BLOCK + 1) * SIDE:g}"/>')
    out.append(text(0, array + 21, "a, in global memory"))
    out.append(text(0, tile + 21, "tile, one a block"))
    out.append(text(0, (tile + 32 + results) / 2 + 5, "__syncthreads()", "start", "name"))
    out.append(text(0, results + 21, "out"))
    return results + 62, "".join(out)


DRAWINGS = {"halo": halo}
