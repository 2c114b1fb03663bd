"""Drawings of chapter 21: a gather of four rows, and which addresses the lanes of a warp ask for."""

from __future__ import annotations

from drawings import cell, text

TABLE = [[3, 1, 4, 1], [5, 9, 2, 6], [7, 7, 0, 8], [2, 5, 8, 4], [6, 0, 6, 3]]
INDEX = [3, 1, 3, -1]


def gather() -> tuple[int, str]:
    """Five rows of four features, four positions: one row twice, one position without a row."""
    side, top, out = 34, 30, []
    left_index, left_table, left_out = 40, 270, 600
    out.append(text(left_index + side / 2, 18, "index", "middle", "name"))
    out.append(text(left_table + 2 * side, 18, "table", "middle", "name"))
    out.append(text(left_out + 2 * side, 18, "out", "middle", "name"))
    for row, values in enumerate(TABLE):
        y = top + row * 36
        out.append(text(left_table - 8, y + 20, str(row), "end", "small"))
        used = row in INDEX
        for i, value in enumerate(values):
            out.append(cell(left_table + i * side, y, side, 30, "input" if used else "cell"))
            out.append(text(left_table + (i + 0.5) * side, y + 20, str(value), "middle", "on" if used else ""))
    for position, row in enumerate(INDEX):
        y = top + position * 36
        out.append(cell(left_index, y, side, 30, "input" if row >= 0 else "cell"))
        out.append(text(left_index + side / 2, y + 20, str(row).replace("-", "−"), "middle", "on" if row >= 0 else ""))
        if row >= 0:
            out.append(f'<path class="sent" d="M{left_index + side + 4} {y + 15} L{left_table - 24} {top + row * 36 + 15}"/>')
            out.append(f'<path class="sent" d="M{left_table + 4 * side + 4} {top + row * 36 + 15} L{left_out - 24} {y + 15}"/>')
        out.append(text(left_out - 8, y + 20, str(position), "end", "small"))
        for i in range(4):
            out.append(cell(left_out + i * side, y, side, 30, "output" if row >= 0 else "cell"))
            out.append(text(left_out + (i + 0.5) * side, y + 20, str(TABLE[row][i] if row >= 0 else 0), "middle", "on" if row >= 0 else ""))
    return top + len(TABLE) * 36 + 6, "".join(out)


def lanes() -> tuple[int, str]:
    """Four lanes on rows of eight features: each in a row of its own, or side by side in one."""
    side, top, features, sector, out = 26, 46, 8, 8, []
    rows = [3, 0, 2, 4]
    for number, (name, left) in enumerate((("--2d: positions along x", 40), ("--coalesced: features along x", 480))):
        out.append(text(left, 18, name, "start", "name"))
        for row in range(5):
            y = top + row * 34
            for i in range(features):
                lane = rows.index(row) if number == 0 and i == 0 and row in rows else i if number == 1 and row == rows[0] and i < 4 else None
                moved = number == 0 and row in rows or number == 1 and row == rows[0]
                out.append(cell(left + i * side, y, side, 28, "intermediate" if lane is not None else "faint" if moved else "cell"))
                if lane is not None:
                    out.append(text(left + (i + 0.5) * side, y + 19, str(lane), "middle", "on small"))
            out.append(text(left + features * side + 8, y + 19, f"row {row}", "start", "small"))
        sectors = len(rows) if number == 0 else 1
        out.append(text(left, top + 5 * 34 + 20, f"{sectors} sector{'s' if sectors > 1 else ''} of {sector} floats for 4 lanes"))
    return top + 5 * 34 + 32, "".join(out)


DRAWINGS = {"gather": gather, "lanes": lanes}
