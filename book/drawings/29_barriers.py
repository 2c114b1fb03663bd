"""Drawings of chapter 29: when tiles come and are filtered, three ways; the phases of a barrier; and how far a tile with a
halo stays right."""

from __future__ import annotations

from drawings import cell, text

COPY, FILTER, TILES = 4, 1, 4  # clocks, of no unit: a tile comes much longer than it is filtered


def lockstep() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """(begin, end) of every copy and of every tile's filtering."""
    copies, filters, now = [], [], 0
    for _ in range(TILES):
        copies.append((now, now + COPY))
        filters.append((now + COPY, now + COPY + FILTER))
        now += COPY + FILTER
    return copies, filters


def split() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    copies, filters = [(0, COPY)], []
    for turn in range(TILES):
        here = max(copies[turn][1], filters[-1][1] if filters else 0)
        if turn + 1 < TILES:
            copies.append((here, here + COPY))
        filters.append((here, here + FILTER))
    return copies, filters


def pipeline() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """A copy is begun each clock; they are under way together."""
    copies = [(turn, turn + COPY) for turn in range(TILES)]
    filters: list[tuple[int, int]] = []
    for _, here in copies:
        begin = max(here, filters[-1][1] if filters else 0)
        filters.append((begin, begin + FILTER))
    return copies, filters


def timeline() -> tuple[int, str]:
    out, y, unit, left = [], 24, 33, 110
    for name, ways in (("lockstep", lockstep), ("split", split), ("pipeline", pipeline)):
        copies, filters = ways()
        rows = len(copies) if name == "pipeline" else 1
        out.append(text(0, y + 18, name, "start", "name"))
        for turn, (begin, end) in enumerate(copies):
            top = y + (turn * 24 if rows > 1 else 0)
            out.append(cell(left + begin * unit, top, (end - begin) * unit - 2, 22, "faint"))
            out.append(text(left + (begin + end) / 2 * unit, top + 16, f"tile {turn} comes", "middle", "small"))
        top = y + rows * 24 + 4
        for turn, (begin, end) in enumerate(filters):
            out.append(cell(left + begin * unit, top, (end - begin) * unit - 2, 22, "input"))
            out.append(text(left + (begin + end) / 2 * unit, top + 16, str(turn), "middle", "on"))
        out.append(text(left + filters[-1][1] * unit + 8, top + 16, f"after {filters[-1][1]}", "start", "small"))
        y = top + 46
    return y - 14, "".join(out)


def phases() -> tuple[int, str]:
    """A stage through two rounds: what its two barriers' phases are, and the parities that are waited for."""
    unit, left, out = 92, 110, []
    filled, used = [(0, 2), (3, 5), (6, 8)], [(2, 3), (5, 6)]
    for number, (begin, end) in enumerate(filled):
        width = (end - begin) * unit if number < 2 else unit
        out.append(cell(left + begin * unit, 30, width - 3, 26, "faint"))
        out.append(text(left + begin * unit + width / 2, 48, f"tile {number * 8} comes", "middle", "small"))
    for number, (begin, end) in enumerate(used):
        out.append(cell(left + begin * unit, 30, (end - begin) * unit - 3, 26, "input"))
        out.append(text(left + (begin + end) / 2 * unit, 48, f"filter {number * 8}", "middle", "on"))
    out.append(text(0, 48, "stage 0"))
    for row, (name, ends) in enumerate((("full[0]", [2, 5]), ("empty[0]", [3, 6]))):
        y, begin = 84 + 44 * row, 0
        out.append(text(0, y + 18, name, "start", "name"))
        for number, end in enumerate([*ends, 7]):
            out.append(cell(left + begin * unit, y, (end - begin) * unit - 3, 26, "cell"))
            words = f"phase {number}, parity {number % 2}" if end - begin > 1 else f"phase {number}"
            out.append(text(left + (begin + end) / 2 * unit, y + 18, words, "middle", "small"))
            begin = end
    return 166, "".join(out)


def halo() -> tuple[int, str]:
    """A tile of 14 cells with a halo of 3: after each step one more cell at either end is wrong."""
    cells, wide, side, out = 14, 3, 46, []
    for step in range(wide + 1):
        y = 14 + step * 40
        out.append(text(0, y + 19, "at first" if step == 0 else f"after step {step}"))
        for at in range(cells):
            right = step <= at < cells - step
            own = wide <= at < cells - wide
            out.append(cell(120 + at * side, y, side - 3, 28, "input" if right and own else "faint" if right else "cell"))
            if not right:
                out.append(text(120 + at * side + side / 2, y + 19, "×", "middle", "small"))
    return 14 + (wide + 1) * 40, "".join(out)


DRAWINGS = {"timeline": timeline, "phases": phases, "halo": halo}
