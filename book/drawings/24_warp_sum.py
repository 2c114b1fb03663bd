"""Drawings of chapter 24: a warp of eight lanes adds up its values, with shuffles down and with a butterfly."""

from __future__ import annotations

from drawings import cell, text

VALUES = [3, 1, 4, 2, 6, 5, 7, 2]


def partner(kind: str, lane: int, offset: int) -> int:
    """The lane whose value `lane` gets; its own where there is none so far up."""
    if kind == "xor":
        return lane ^ offset
    return lane + offset if lane + offset < len(VALUES) else lane


def rounds(kind: str) -> list[tuple[int, list[int]]]:
    """What the lanes hold: at first (offset 0), and after each offset."""
    found = [(0, VALUES)]
    offset = len(VALUES) // 2
    while offset:
        before = found[-1][1]
        found.append((offset, [value + before[partner(kind, lane, offset)] for lane, value in enumerate(before)]))
        offset //= 2
    return found


def shuffles(kind: str) -> tuple[int, str]:
    """Filled are the lanes whose value is that of a group of lanes in which each was added once."""
    left, apart, box, step, top = 170, 84, 44, 80, 30
    total = sum(VALUES)
    out = [text(left + apart * lane + box / 2, 18, f"lane {lane}", "middle", "name") for lane in range(len(VALUES))]
    for number, (offset, held) in enumerate(rounds(kind)):
        y = top + number * step
        useful = len(VALUES) if kind == "xor" or not number else offset
        if number:
            for lane in range(useful):
                x = left + apart * lane + box / 2
                out.append(f'<path class="own" d="M{x:g} {y - step + 30} V{y}"/>')
                out.append(f'<path class="sent" d="M{left + apart * partner(kind, lane, offset) + box / 2:g} {y - step + 30} L{x:g} {y}"/>')
        out.append(text(0, y + 20, f"after offset {offset}" if number else "a value each"))
        for lane, value in enumerate(held):
            x = left + apart * lane
            kept = lane < useful
            out.append(cell(x, y, box, 30, "input" if kept else "cell"))
            out.append(text(x + box / 2, y + 20, str(value), "middle", "on" if kept else "small"))
    last = rounds(kind)[-1][1]
    assert last[0] == total and (kind != "xor" or set(last) == {total})
    return top + (len(rounds(kind)) - 1) * step + 42, "".join(out)


DRAWINGS = {"down": lambda: shuffles("down"), "butterfly": lambda: shuffles("xor")}
