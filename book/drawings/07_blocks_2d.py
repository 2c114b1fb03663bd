"""Drawing of chapter 07: what a warp touches of a matrix and of a transposed one, by its shape."""

from __future__ import annotations

from drawings import cell, text

SIZE, LANES, SECTOR = 8, 8, 4  # of the matrices; of a warp; of a sector, in floats


def touched(width: int, transposed: bool) -> set[tuple[int, int]]:
    """(row, column) of what the first warp touches, `width` lanes in a row of out."""
    places = {(lane // width, lane % width) for lane in range(LANES)}
    return {(column, row) for row, column in places} if transposed else places


def sectors(places: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(row, column // SECTOR) for row, column in places}


def matrix(out: list[str], left: int, top: int, places: set[tuple[int, int]]) -> None:
    side, fetched = 19, sectors(places)
    for row in range(SIZE):
        for column in range(SIZE):
            kind = "input" if (row, column) in places else "faint" if (row, column // SECTOR) in fetched else "cell"
            # A little space between sectors.
            out.append(cell(left + column * side + 5 * (column // SECTOR), top + row * side, side, side, kind))


def warp_shapes() -> tuple[int, str]:
    left, apart, top, below = 130, 245, 56, 200
    out = [text(0, top + 76, "a and out,"), text(0, top + 96, "[row][column]", kind="name"), text(0, top + below + 76, "b,"),
           text(0, top + below + 96, "[column][row]", kind="name")]
    for number, width in enumerate((8, 4, 1)):
        x = left + number * apart
        straight, turned = touched(width, False), touched(width, True)
        of_a, of_b = len(sectors(straight)), len(sectors(turned))
        out.append(text(x, 18, f"a warp of {width} × {LANES // width}"))
        out.append(text(x, 40, f"sectors: {of_a} + {of_b} + {of_a} = {2 * of_a + of_b}"))
        matrix(out, x, top, straight)
        matrix(out, x, top + below, turned)
    bottom = top + below + SIZE * 19 + 26
    out += [cell(left, bottom - 14, 18, 18, "input"), text(left + 26, bottom, "a lane's element"), cell(left + 180, bottom - 14, 18, 18, "faint"),
            text(left + 206, bottom, "fetched with it, of no use to this warp")]
    return bottom + 14, "".join(out)


DRAWINGS = {"warp_shapes": warp_shapes}
