"""Drawings of chapter 23: who has which element by each of four patterns, and three calls beside one."""

from __future__ import annotations

from drawings import cell, text

THREADS, ITEMS, BLOCKS = 4, 4, 2
ELEMENTS = THREADS * ITEMS * BLOCKS
SIDE, HIGH, LEFT = 23, 24, 118


def owners(pattern: str) -> list[tuple[int, int]]:
    """For each element of two tiles: the thread of the grid that has it, and when, counted from 0."""
    found = []
    for i in range(ELEMENTS):
        block, place = divmod(i, THREADS * ITEMS)
        if pattern == "loop":
            found.append((i % (THREADS * BLOCKS), i // (THREADS * BLOCKS)))
        elif pattern == "consecutive":
            found.append((block * THREADS + place // ITEMS, place % ITEMS))
        elif pattern == "striped":
            found.append((block * THREADS + place % THREADS, place // THREADS))
        else:  # vectors of four, dealt out as the loop deals out elements
            found.append((i // 4 % (THREADS * BLOCKS), i // 4 // (THREADS * BLOCKS)))
    return found


def patterns() -> tuple[int, str]:
    """A line a pattern: the number in a cell is the thread; filled are the elements of the first access of block 0."""
    out, y = [], 6
    for pattern in ("loop", "consecutive", "striped", "vector"):
        found = owners(pattern)
        assert sorted(found) == sorted(set(found)) or pattern == "vector"
        first = [i for i, (thread, turn) in enumerate(found) if thread < THREADS and turn == 0]
        out.append(text(LEFT - 12, y + 17, pattern, "end", "name"))
        for i, (thread, _) in enumerate(found):
            out.append(cell(LEFT + i * SIDE, y, SIDE, HIGH, "input" if i in first else "cell"))
            out.append(text(LEFT + (i + 0.5) * SIDE, y + 17, str(thread), "middle", "on small" if i in first else "small"))
        pieces = sorted({i // 8 for i in first})
        out.append(text(LEFT, y + HIGH + 17, f"first access of threads 0 to 3: {len(first)} elements, {len(pieces)} sector{'s' if len(pieces) > 1 else ''} of 8", "start", "small"))
        y += HIGH + 34
    return y, "".join(out)


def calls() -> tuple[int, str]:
    """What each call reads and writes, an array a cell."""
    wide, high, out = 74, 26, []

    def call(x: float, y: float, name: str, reads: list[str], writes: str) -> int:
        out.append(text(x, y + 18, name, "start", "name"))
        at = x + 150
        for array in reads:
            out.append(cell(at, y, wide, high, "input") + text(at + wide / 2, y + 18, array, "middle", "on small"))
            at += wide + 6
        at = x + 150 + 2 * (wide + 6)
        out.append(cell(at, y, wide, high, "output") + text(at + wide / 2, y + 18, writes, "middle", "on small"))
        return len(reads) + 1

    moved, y = 0, 8
    for name, reads in (("Axpy", ["x", "y"]), ("Clip", ["out"]), ("Scale", ["out"])):
        moved += call(0, y, name, reads, "out")
        y += high + 10
    out.append(text(0, y + 14, f"three calls: {moved} arrays", "start"))
    one = call(440, 8, "all three", ["x", "y"], "out")
    out.append(text(440, 8 + high + 24, f"one call: {one} arrays", "start"))
    return y + 22, "".join(out)


DRAWINGS = {"patterns": patterns, "calls": calls}
