"""Drawings of chapter 33: which lane holds which word of the three fragments of an mma, whose addresses ldmatrix takes,
where the pieces of eight rows lie in three layouts, and what the stages of a ring hold."""

from __future__ import annotations

from typing import Callable

from drawings import cell, text

LANE = 13  # whose words are filled


def word_holder(row: int, word: int) -> tuple[int, int]:
    """Of a fragment of a, 16 rows of 8 words: who holds this word, and in which register."""
    return row % 8 * 4 + word % 4, row // 8 + word // 4 * 2


def b_holder(row: int, word: int) -> tuple[int, int]:
    """Of a fragment of b, 8 rows of 8 words."""
    return row * 4 + word % 4, word // 4


def sum_holder(row: int, column: int) -> tuple[int, int]:
    """Of 16 x 8 sums."""
    return row % 8 * 4 + column // 2, row // 8 * 2 + column % 2


def grid(left: float, top: float, rows: int, holder: Callable[[int, int], tuple[int, int]], name: str) -> list[str]:
    """Eight columns of cells with the lane that holds each; those of LANE filled, with the register."""
    side, height, out = 30, 21, []
    for row in range(rows):
        for column in range(8):
            lane, register = holder(row, column)
            x, y = left + column * side, top + row * height
            own = lane == LANE
            out.append(cell(x, y, side, height, "input" if own else "cell"))
            out.append(text(x + side / 2, y + 15, f"{name}{register}" if own else str(lane), "middle", "on" if own else "small"))
    return out


def fragments() -> tuple[int, str]:
    out, top = [], 46
    for left, rows, holder, name, title, below in (
        (20, 16, word_holder, "a", "a: 16 rows, 8 words of each", "word"),
        (310, 8, b_holder, "b", "b: 8 rows, 8 words of each", "word"),
        (600, 16, sum_holder, "s", "sums: 16 rows, 8 columns", "column"),
    ):
        out.append(text(left, 16, title, "start", "name"))
        out += [text(left + (c + 0.5) * 30, 38, str(c), "middle", "small") for c in range(8)]
        out += [text(left - 5, top + r * 21 + 15, str(r), "end", "small") for r in range(0, rows, 4)]
        out += grid(left, top, rows, holder, name)
    return top + 16 * 21 + 8, "".join(out)


def addresses() -> tuple[int, str]:
    """A slice of 16 rows: two pieces a row, by the lane that gives the piece's address, for a and for b."""
    wide, height, out, top = 118, 21, [], 46
    for left, title, giver in (
        (40, "16 rows of a", lambda row, piece: piece * 16 + row),
        (330, "16 rows of b, two fragments", lambda row, piece: row // 8 * 16 + piece * 8 + row % 8),
    ):
        out.append(text(left, 16, title, "start", "name"))
        out += [text(left + (p + 0.5) * wide, 38, f"piece {p}", "middle", "small") for p in range(2)]
        for row in range(16):
            out.append(text(left - 5, top + row * height + 15, str(row), "end", "small"))
            for piece in range(2):
                lane = giver(row, piece)
                x, y = left + piece * wide, top + row * height
                first = lane < 8
                out.append(cell(x, y, wide, height, "input" if first else "cell"))
                out.append(text(x + wide / 2, y + 15, f"lane {lane}: register {lane // 8}", "middle", "on small" if first else "small"))
    left = 620
    out.append(text(left, 16, "matrix 0, once it is loaded", "start", "name"))
    for row in range(8):
        for word in range(4):
            x, y = left + word * 54, top + row * height
            lane = row * 4 + word
            out.append(cell(x, y, 54, height, "faint"))
            out.append(text(x + 27, y + 15, str(lane), "middle", "small"))
    out.append(text(left, top + 8 * height + 20, "a word a lane: who has", "start", "small"))
    out.append(text(left, top + 8 * height + 36, "it in register 0", "start", "small"))
    return top + 16 * height + 8, "".join(out)


def layouts() -> tuple[int, str]:
    """Piece 1 of eight rows of eight pieces, in a memory of eight groups of four banks."""
    side, height, groups, rows, column, out = 30, 25, 8, 8, 1, []
    for left, title, length, place in (
        (20, "rows as they are", 8, lambda row, piece: piece),
        (310, "padded", 9, lambda row, piece: piece),
        (600, "swizzled", 8, lambda row, piece: piece ^ row),
    ):
        out.append(text(left, 16, title, "start", "name"))
        out += [text(left + (g + 0.5) * side, 40, str(4 * g), "middle", "small") for g in range(groups)]
        used = {row * length + place(row, piece): (row, piece) for row in range(rows) for piece in range(8)}
        wanted = [row * length + place(row, column) for row in range(rows)]
        turns = max(sum(1 for at in wanted if at % groups == g) for g in range(groups))
        for at in range(-(-(rows * length) // groups) * groups):
            x, y = left + at % groups * side, 48 + at // groups * height
            row, piece = used.get(at, (None, None))
            kind = "faint" if row is None else "input" if piece == column else "cell"
            out.append(cell(x, y, side, height, kind))
            if row is not None:
                out.append(text(x + side / 2, y + 17, f"{row},{piece}", "middle", "on" if piece == column else "small"))
        out.append(text(left, 48 + 9 * height + 20, f"piece {column} of eight rows: {turns} pass{'es' if turns > 1 else ''}"))
    return 302, "".join(out)


def ring() -> tuple[int, str]:
    """Seven steps through three stages: what each stage does in each round."""
    stages, steps, left, wide, height, out = 3, 7, 90, 108, 30, []
    for stage in range(stages):
        out.append(text(0, 64 + stage * height, f"stage {stage}", "start", "name"))
    for number in range(steps):
        x = left + number * wide
        out.append(text(x + wide / 2, 30, f"round {number}", "middle", "small"))
        if number:
            out.append(f'<path class="barrier" d="M{x:g} 38 V{48 + stages * height:g}"/>')
        for stage in range(stages):
            # The latest step that lies in this stage, of those that have begun.
            step = number + stages - 1 - (number + stages - 1 - stage) % stages
            multiplied, there, y = step == number, step < steps, 44 + stage * height
            out.append(cell(x + 4, y, wide - 8, height - 4, "output" if multiplied else "faint" if there else "cell"))
            if there:
                out.append(text(x + wide / 2, y + 18, f"multiply {step}" if multiplied else f"copy {step}", "middle", "on" if multiplied else "small"))
    return 56 + stages * height, "".join(out)


DRAWINGS = {"fragments": fragments, "addresses": addresses, "layouts": layouts, "ring": ring}
