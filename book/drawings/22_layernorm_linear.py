"""Drawings of chapter 22: warp_sum in four lanes, and how the block kernel shares rows."""

from __future__ import annotations

from drawings import cell, text


def butterfly(values: list[int]) -> list[list[int]]:
    """What the lanes of a warp of `len(values)` hold before warp_sum, and after each of its rounds."""
    rounds = [values]
    offset = len(values) // 2
    while offset:
        before = rounds[-1]
        rounds.append([value + before[lane ^ offset] for lane, value in enumerate(before)])
        offset //= 2
    return rounds


def warp_sum() -> tuple[int, str]:
    rounds = butterfly([3, 1, 4, 2])
    lanes = len(rounds[0])
    left, apart, box, row, top = 170, 130, 44, 84, 34
    centre = [left + apart * lane + box / 2 for lane in range(lanes)]
    out = [text(x, 18, f"lane {lane}", "middle", "name") for lane, x in enumerate(centre)]
    said = ["each lane's own value"] + [f"after offset {lanes >> number}" for number in range(1, len(rounds))]
    offset = lanes // 2
    for number, held in enumerate(rounds):
        y = top + number * row
        if number:
            for lane, x in enumerate(centre):
                out.append(f'<path class="own" d="M{x:g} {y - row + 30} V{y}"/>')
                out.append(f'<path class="sent" d="M{centre[lane ^ offset]:g} {y - row + 30} L{x:g} {y}"/>')
            offset //= 2
        out.append(text(0, y + 20, said[number]))
        for x, value in zip(centre, held):
            out.append(cell(x - box / 2, y, box, 30, "input"))
            out.append(text(x, y + 20, str(value), "middle", "on"))
    end = left + apart * (lanes - 1) + box + 24
    out.append(text(end, top + row + 20, "2 numbers each"))
    out.append(text(end, top + 20, "1 number each"))
    out.append(text(end, top + 2 * row + 20, "all 4, in every lane"))
    return top + (len(rounds) - 1) * row + 40, "".join(out)


def shared_rows() -> tuple[int, str]:
    """Block 0 at the teaching shape: H 8, O 16. Warp 1 stands out."""
    rows, hidden, outputs, each, shown = 8, 8, 16, 4, 1
    side, rows_left, y_left, w_top, y_top = 24, 150, 440, 30, 256
    out = []
    for h in range(hidden):  # W, its rows standing up
        for o in range(outputs):
            out.append(cell(y_left + o * side, w_top + h * side, side, side, "input" if o // each == shown else "cell"))
    for r in range(rows):
        out.append(text(rows_left - 10, y_top + r * side + 17, f"warp {r} fills row {r}", "end", "name"))
        for h in range(hidden):
            out.append(cell(rows_left + h * side, y_top + r * side, side, side, "input" if r == shown else "faint"))
        for o in range(outputs):
            mine = o // each == shown
            out.append(cell(y_left + o * side, y_top + r * side, side, side, "output" if mine else "cell"))
            if mine:
                out.append(text(y_left + o * side + side / 2, y_top + r * side + 17, str(r * each + o % each), "middle", "on small"))
    middle = (rows_left + hidden * side + y_left) / 2
    bottom = y_top + rows * side
    out.append(f'<path class="barrier" d="M{middle:g} {y_top - 12} V{bottom + 8}"/>')
    out.append(text(middle, bottom + 26, "__syncthreads()", "middle", "name"))
    out.append(text(rows_left, y_top - 12, "shared_rows [8][H]"))
    out.append(text(y_left, w_top - 12, "W, one row of it a column here"))
    for warp in range(outputs // each):
        out.append(text(y_left + (warp + 0.5) * each * side, y_top - 8, f"warp {warp}", "middle", "name"))
    out.append(text(y_left + outputs * side, bottom + 26, "y, 8 positions × 16 outputs", "end"))
    for line, words in enumerate(["Before the barrier:", "warp 1 writes row 1 only.", "", "After it:", "warp 1 reads all eight rows",
                                 "and its four rows of W, and", "computes 8 × 4 results.", "The number in a result is", "the lane that stores it."]):
        out.append(text(0, w_top + 16 + 20 * line, words))
    return bottom + 36, "".join(out)


DRAWINGS = {"warp_sum": warp_sum, "shared_rows": shared_rows}
