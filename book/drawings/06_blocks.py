"""Drawings of chapter 06: which elements a thread takes, and blocks that follow one another."""

from __future__ import annotations

from drawings import cell, text

BLOCKS, THREADS, ELEMENTS = 2, 4, 19
TURNS = ("input", "intermediate", "output")


def strip(out: list[str], top: int, title: str, owner_and_turn: list[tuple[int, int]]) -> None:
    """A row of elements, each with the number of its thread, filled by the turn in which it is taken."""
    side, left = 38, 70
    out.append(text(left, top, title))
    for i, (owner, turn) in enumerate(owner_and_turn):
        x = left + i * side
        out.append(cell(x, top + 10, side, 34, TURNS[turn]))
        out.append(text(x + side / 2, top + 32, str(owner), "middle", "on"))
        out.append(text(x + side / 2, top + 60, str(i), "middle", "small"))
    out.append(text(left - 12, top + 32, "thread", "end"))
    out.append(text(left - 12, top + 60, "element", "end"))


def grid_stride() -> tuple[int, str]:
    threads = BLOCKS * THREADS
    each = -(-ELEMENTS // threads)
    out: list[str] = []
    strip(out, 20, f"A grid-stride loop: thread t takes t, t + {threads}, t + {2 * threads}", [(i % threads, i // threads) for i in range(ELEMENTS)])
    strip(out, 120, f"A run of {each} neighbours for each thread: what this puzzle does not want",
          [(i // each, i % each) for i in range(ELEMENTS)])
    for number, kind in enumerate(TURNS):
        out.append(cell(70 + 130 * number, 204, 18, 18, kind))
        out.append(text(96 + 130 * number, 218, f"turn {number + 1}"))
    out.append(text(480, 218, f"{BLOCKS} blocks of {THREADS} threads, {ELEMENTS} elements"))
    return 232, "".join(out)


def waves() -> tuple[int, str]:
    """Ten blocks on two multiprocessors that hold two blocks each, and one wave of longer blocks."""
    slots, many, row, top, left = 4, 10, 34, 34, 150
    work, start = 44, 30
    out = [text(left, 18, f"{many} blocks with one turn each"), text(left + 430, 18, f"{slots} blocks with {many / slots:g} turns each, on average")]
    for slot in range(slots):
        y = top + slot * row
        if slot % 2 == 0:
            out.append(text(left - 14, y + row + 2, f"multiprocessor {slot // 2}", "end"))
        for wave, block in enumerate(range(slot, many, slots)):
            x = left + wave * (start + work)
            out.append(cell(x, y + 4, start, row - 8, "cell"))
            out.append(cell(x + start, y + 4, work, row - 8, "input"))
            out.append(text(x + start + work / 2, y + 22, str(block), "middle", "on"))
        turns = len(range(slot, many, slots))
        x = left + 430
        out.append(cell(x, y + 4, start, row - 8, "cell"))
        for turn in range(turns):
            out.append(cell(x + start + turn * work, y + 4, work, row - 8, "input"))
            out.append(text(x + start + (turn + 0.5) * work, y + 22, str(slot), "middle", "on"))
    bottom = top + slots * row
    for wave in range(-(-many // slots)):
        out.append(text(left + wave * (start + work) + (start + work) / 2, bottom + 18, f"wave {wave + 1}", "middle", "name"))
    out.append(text(left + 430, bottom + 18, "one wave", "start", "name"))
    out.append(text(left + 560, bottom + 18, "empty: a block's start"))
    return bottom + 30, "".join(out)


DRAWINGS = {"grid_stride": grid_stride, "waves": waves}
