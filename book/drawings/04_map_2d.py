"""Drawing of chapter 04: a matrix of 4 x 5 in memory, and what four lanes meet along a row and along a column."""

from __future__ import annotations

from drawings import cell, text

ROWS, COLS, LANES, SECTOR = 4, 5, 4, 4


def place(row: int, col: int) -> int:
    return row * COLS + col


def sectors(places: list[int]) -> list[int]:
    return sorted({at // SECTOR for at in places})


def along() -> tuple[int, str]:
    side, left, memory, gap = 30, 60, 282, 10
    out = []
    for band, (title, lanes) in enumerate([("x is the column: the lanes run along a row", [(0, lane) for lane in range(LANES)]),
                                           ("x is the row: the lanes run down a column", [(lane, 0) for lane in range(LANES)])]):
        top = 14 + band * 212
        lane_of = {place(row, col): lane for lane, (row, col) in enumerate(lanes)}
        met = sectors(list(lane_of))
        out.append(text(0, top, title))
        for col in range(COLS):
            out.append(text(left + side * (col + 0.5), top + 28, str(col), "middle", "name small"))
        for row in range(ROWS):
            out.append(text(left - 10, top + 34 + side * row + 20, f"row {row}", "end", "name small"))
            for col in range(COLS):
                lane = lane_of.get(place(row, col))
                x, y = left + side * col, top + 34 + side * row
                out.append(cell(x, y, side, side, "cell" if lane is None else "input"))
                out.append(text(x + side / 2, y + 20, str(place(row, col)), "middle", "small" if lane is None else "on small"))
        y = top + 80
        out.append(text(memory, y - 30, "the same elements in memory"))
        out.append(text(memory - 8, y - 8, "lane", "end", "small"))
        for at in range(ROWS * COLS):
            x = memory + at * 26 + at // SECTOR * gap
            lane = lane_of.get(at)
            out.append(cell(x, y, 26, side, "input" if lane is not None else "faint" if at // SECTOR in met else "cell"))
            out.append(text(x + 13, y + 20, str(at), "middle", "small" if lane is None else "on small"))
            if lane is not None:
                out.append(text(x + 13, y - 8, str(lane), "middle", "small"))
        for sector in range(ROWS * COLS // SECTOR):
            middle = memory + (sector + 0.5) * SECTOR * 26 + sector * gap
            out.append(text(middle, y + side + 20, f"sector {sector}" if sector in met else "–", "middle", "small"))
        out.append(text(memory, y + side + 48, f"{LANES} lanes meet {len(met)} sector{'s' if len(met) > 1 else ''}"))
    return 396, "".join(out)


DRAWINGS = {"along": along}
