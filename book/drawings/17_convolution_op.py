"""Drawings of chapter 17: the tiles of three short rows, and a filter that passes by in pieces."""

from __future__ import annotations

from drawings import cell, text

ROWS = [[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8], [9, 7, 9, 3, 2, 3]]
TILE, TAPS = 4, 3


def rows() -> tuple[int, str]:
    """Three rows of six elements as they lie in memory, with tiles of four: a row has two, and no tile has two rows."""
    side, left, size, out = 38, 94, len(ROWS[0]), []
    tiles = -(-size // TILE)
    out.append(text(left - 12, 50, "in memory", "end", "name"))
    for at in range(size * len(ROWS)):
        row, i = divmod(at, size)
        out.append(cell(left + at * side, 30, side, 30, "input" if row % 2 == 0 else "intermediate"))
        out.append(text(left + (at + 0.5) * side, 50, str(ROWS[row][i]), "middle", "on"))
    for row in range(len(ROWS)):
        out.append(text(left + (row + 0.5) * size * side, 18, f"row {row}", "middle", "small"))
        for tile in range(tiles):
            block, first = row * tiles + tile, tile * TILE
            last = min(first + TILE, size)
            x0, x1 = left + (row * size + first) * side + 3, left + (row * size + last) * side - 3
            y = 76
            out.append(f'<path class="own" d="M{x0:g} {y} V{y + 8} H{x1:g} V{y}"/>')
            out.append(text((x0 + x1) / 2, y + 28, f"block {block}", "middle", "small"))
    y = 148
    block, row, first = 1, 0, TILE
    out.append(text(left - 12, y + 20, "block 1", "end", "name"))
    staged = [ROWS[row][i] if i < size else 0 for i in range(first, first + TILE + TAPS - 1)]
    for t, value in enumerate(staged):
        kind = "cell" if first + t >= size else "input"
        out.append(cell(left + t * side, y, side, 30, kind))
        out.append(text(left + (t + 0.5) * side, y + 20, str(value), "middle", "" if kind == "cell" else "on"))
    x = left + len(staged) * side + 14
    out.append(text(x, y + 13, f"row = {block} / {tiles} = {block // tiles}, tile = {block} % {tiles} = {block % tiles}, first = {block % tiles} · {TILE} = {first}", "start", "small"))
    out.append(text(x, y + 32, f"past the row's end: zeros, not the {ROWS[1][0]} that comes next in memory", "start", "small"))
    return 190, "".join(out)


def pieces() -> tuple[int, str]:
    """A tile of four results, seven taps in pieces of three: each piece weighs elements further on."""
    side, left, taps, piece, top, row_height, out = 38, 250, 7, 3, 40, 74, []
    count_all = TILE + taps - 1
    for j in range(count_all):
        out.append(text(left + (j + 0.5) * side, 24, f"+{j}", "middle", "small"))
    for number, start in enumerate(range(0, taps, piece)):
        count = min(piece, taps - start)
        y = top + number * row_height
        named = f"taps {start} to {start + count - 1}" if count > 1 else f"tap {start}"
        out.append(text(0, y + 20, f"piece {start}: {named}", "start", "name"))
        for j in range(count_all):
            kind = "input" if start <= j < start + TILE else "intermediate" if start + TILE <= j < start + TILE + count - 1 else "cell"
            out.append(cell(left + j * side, y, side, 30, kind))
        out.append(text(left + count_all * side + 16, y + 20, f"{TILE + count - 1} elements, {count} {'taps' if count > 1 else 'tap'}"))
        for k in range(count):
            out.append(f'<path class="sent" d="M{left + (start + k + 0.5) * side:g} {y + 30} L{left + 0.5 * side:g} {y + 52}"/>')
        out.append(text(left + 0.5 * side + 8, y + 62, f"result 0: {'+' if number else ''} {count} {'terms' if count > 1 else 'term'}", "start", "small"))
    return top + 3 * row_height + 4, "".join(out)


DRAWINGS = {"rows": rows, "pieces": pieces}
