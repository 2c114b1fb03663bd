"""Drawings of chapter 31: what a multiprocessor does while its warps wait, and blocks in a small one."""

from __future__ import annotations

from drawings import cell, text

WAIT, WORK = 7, 1  # clocks of the drawing


def lane_of_time(left: float, y: float, starts: list[int], clock: float, until: int) -> list[str]:
    """A warp's line: a filled cell where it asks, a faint bar while it waits."""
    out, row = [], 20
    for start in starts:
        if start >= until:
            break
        out.append(cell(left + start * clock, y, clock * WORK, row, "input"))
        wait = min(WAIT, until - start - WORK)
        if wait > 0:
            out.append(cell(left + (start + WORK) * clock, y, clock * wait, row, "faint"))
    return out


def waiting() -> tuple[int, str]:
    """One warp with one load under way, four such warps, and one warp with four loads under way."""
    left, clock, until, out, y = 190, 21, 32, [], 10
    period = WAIT + WORK
    pictures = (
        ("1 warp, 1 load", [[start for start in range(0, until, period)]]),
        ("4 warps, 1 load each", [[warp + start for start in range(0, until, period)] for warp in range(4)]),
        ("1 warp, 4 loads", [[start + k for start in range(0, until, period + 3) for k in range(4)]]),
    )
    for title, warps in pictures:
        asked = sum(1 for starts in warps for start in starts if start < until)
        out.append(text(10, y + 15, title, "start", "name"))
        for starts in warps:
            if len(warps) == 1 and len(starts) > until // period:  # loads of one warp overlap: one bar behind them
                for first in starts[::4]:
                    out.append(cell(left + first * clock, y, clock * min(period + 3, until - first), 20, "faint"))
                out += [cell(left + start * clock, y, clock, 20, "input") for start in starts if start < until]
            else:
                out += lane_of_time(left, y, starts, clock, until)
            y += 24
        out.append(text(left, y + 14, f"{asked} loads in {until} clocks", "start", "small"))
        y += 36
    return y, "".join(out)


def blocks() -> tuple[int, str]:
    """A small multiprocessor: eight places for warps, eight pieces of shared memory, four places for blocks."""
    side, out = 26, []
    for left, title, warps, shared in (
        (10, "1 warp, 1 piece", 1, 1),
        (300, "2 warps, 3 pieces", 2, 3),
        (590, "4 warps, 3 pieces", 4, 3),
    ):
        resident = min(4, 8 // warps, 8 // shared)
        out.append(text(left, 18, title, "start", "name"))
        for y, of_block, said in ((34, warps, "warps"), (92, shared, "shared memory")):
            for place in range(8):
                block = place // of_block
                taken = block < resident
                out.append(cell(left + place * side, y, side, side, "input" if taken else "cell"))
                if taken:
                    out.append(text(left + (place + 0.5) * side, y + 18, str(block), "middle", "on"))
            out.append(text(left, y + side + 16, said, "start", "small"))
        bound = "places for blocks" if resident == 4 and warps == 1 else "shared memory" if 8 // shared < 8 // warps else "warps and shared memory"
        out.append(text(left, 158, f"{resident} blocks, {resident * warps} of 8 warps: {bound}", "start", "small"))
    return 170, "".join(out)


DRAWINGS = {"waiting": waiting, "blocks": blocks}
