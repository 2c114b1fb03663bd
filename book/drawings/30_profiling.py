"""Drawings of chapter 30: the way of a load with its counters, and two shapes of a tile in front of a small cache."""

from __future__ import annotations

from drawings import cell, text

SMALL_WINDOW = 4  # rows of a window in the drawing of tiles
SMALL_CACHE = 20  # cells that its cache holds


def stair() -> tuple[int, str]:
    """Who asks, L1, L2, DRAM: what is counted between two of them, and what too much of it means."""
    rows = (
        ("a warp asks", "sectors a load request", "spread: 32, where a float a lane fills 4"),
        ("L1, one a multiprocessor", "load sectors found in L1", "lost: nothing, of what is asked for again"),
        ("L2, one for all", "load sectors from the L2", "lost: many times what the tensors have"),
        ("DRAM", "bytes read and written", "the floor: what has to move moves once"),
    )
    out, left, width, step, high = [], 10, 200, 30, 34
    for i, (where, counter, means) in enumerate(rows):
        y = 10 + i * (high + 16)
        out.append(cell(left + i * step, y, width, high, "input"))
        out.append(text(left + i * step + width / 2, y + 22, where, "middle", "on"))
        out.append(text(318, y + 22, counter, "start", "name"))
        out.append(text(552, y + 22, means, "start", "small"))
        if i + 1 < len(rows):
            x = left + i * step + width - 40
            out.append(f'<path class="sent" d="M {x} {y + high} V {y + high + 14}"/>')
    y = 10 + len(rows) * (high + 16)
    out.append(cell(left, y, width + 3 * step, high, "faint"))
    out.append(text(left + (width + 3 * step) / 2, y + 22, "time in which little is under way", "middle"))
    out.append(text(318, y + 22, "waits, warps", "start", "name"))
    out.append(text(552, y + 22, "waiting: all of the above are small", "start", "small"))
    return y + high + 10, "".join(out)


def reads(high: int, wide: int) -> tuple[int, int]:
    """What a tile has to fetch, row by row and least recently used lost first, and how often it asks."""
    cache: list[tuple[int, int]] = []
    fetched = asked = 0
    for row in range(high):
        for column in range(wide):
            for k in range(SMALL_WINDOW):
                asked += 1
                at = (row + k, column)
                if at in cache:
                    cache.remove(at)
                else:
                    fetched += 1
                cache.append(at)
                del cache[:-SMALL_CACHE]
    return fetched, asked


def tiles() -> tuple[int, str]:
    """Two tiles of 16 sums, with the rows that they read, before a cache of SMALL_CACHE cells."""
    out, side = [], 22
    for left, high, wide in ((10, 2, 8), (470, 8, 2)):
        fetched, asked = reads(high, wide)
        top = 30
        out.append(text(left, 18, f"{high} steps high, {wide} wide", "start", "name"))
        for row in range(high + SMALL_WINDOW - 1):
            for column in range(wide):
                between = row in range(1, 1 + SMALL_WINDOW)  # what lies between the first step and the second
                out.append(cell(left + column * side, top + row * side, side, side, "input" if row < SMALL_WINDOW else "faint" if between else "cell"))
        beside = left + wide * side + 16
        out.append(text(beside, top + 16, f"between two uses of a row: {SMALL_WINDOW * wide} cells", "start", "small"))
        out.append(text(beside, top + 38, f"the cache holds {SMALL_CACHE}", "start", "small"))
        out.append(text(beside, top + 60, f"{asked} cells asked for, {fetched} fetched", "start", "small"))
        out.append(text(beside, top + 82, f"{100 * (asked - fetched) // asked} % found", "start", "small"))
    return 30 + 11 * side + 10, "".join(out)


DRAWINGS = {"stair": stair, "tiles": tiles}
