"""Drawings of chapter 14: the rounds of a scan in a block, three pieces and their offsets, and a look-back."""

from __future__ import annotations

from itertools import accumulate

from drawings import cell, text

HELD = [3, 1, 4, 1, 5, 9, 2, 6]
PIECES = [[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]]
FINISHED = 2  # of the pieces of the look-back, these have published their prefix
OWN_SUMS = [9, 22, 21, 4, 17]


def scan_rounds(values: list[int]) -> list[tuple[int, list[int]]]:
    """The distance of each round, and what the threads have after it."""
    found, distance = [], 1
    while distance < len(values):
        values = [value + (values[t - distance] if t >= distance else 0) for t, value in enumerate(values)]
        found.append((distance, values))
        distance *= 2
    return found


def rounds() -> tuple[int, str]:
    left, apart, box, step, top = 190, 76, 48, 92, 30
    out = [text(left + apart * t + box / 2, 18, f"thread {t}", "middle", "name") for t in range(len(HELD))]
    for number, (distance, values) in enumerate([(0, HELD), *scan_rounds(HELD)]):
        y = top + number * step
        if number:
            out.append(f'<path class="barrier" d="M{left:g} {y - step + 40} H{left + apart * (len(HELD) - 1) + box:g}"/>')
            for t in range(len(HELD)):
                x = left + apart * t + box / 2
                out.append(f'<path class="own" d="M{x:g} {y - step + 30} V{y}"/>')
                if t >= distance:
                    out.append(f'<path class="sent" d="M{x - apart * distance:g} {y - step + 30} L{x:g} {y}"/>')
            out.append(text(0, y + 14, f"distance {distance}"))
            out.append(text(0, y + 32, f"sums of up to {2 * distance}", kind="small"))
        else:
            out.append(text(0, y + 20, "one value a thread"))
        for t, value in enumerate(values):
            x, whole = left + apart * t, t < 2 * distance
            out.append(cell(x, y, box, 30, "output" if whole else "input"))
            out.append(text(x + box / 2, y + 20, str(value), "middle", "on"))
    return top + len(scan_rounds(HELD)) * step + 36, "".join(out)


def row(out: list[str], y: float, words: str, values: list[list[int]], kind: str, left: float, side: float, apart: float) -> None:
    """A row of cells, in groups of one piece each."""
    out.append(text(0, y + 20, words))
    for piece, group in enumerate(values):
        for place, value in enumerate(group):
            x = left + piece * apart + place * side
            out.append(cell(x, y, side, 30, kind))
            out.append(text(x + side / 2, y + 20, str(value), "middle", "on"))


def pieces() -> tuple[int, str]:
    left, side, apart = 210, 46, 224
    scanned = [list(accumulate(piece)) for piece in PIECES]
    sums = [piece[-1] for piece in scanned]
    offsets = [0, *accumulate(sums)][: len(sums)]
    whole = [[value + offset for value in piece] for piece, offset in zip(scanned, offsets)]
    last, out = 3 * side, []
    for piece in range(len(PIECES)):
        out.append(text(left + piece * apart, 16, f"piece {piece}", "start", "name"))
        x = left + piece * apart + last
        out.append(f'<path class="sent" d="M{x + side / 2:g} 124 V154"/>')
        for later in range(piece + 1, len(PIECES)):
            out.append(f'<path class="sent" d="M{x + side / 2:g} 186 L{left + later * apart + last + side / 2:g} 218"/>')
        for place in range(4):
            out.append(f'<path class="own" d="M{x + side / 2:g} 250 L{left + piece * apart + (place + 0.5) * side:g} 280"/>')
    row(out, 26, "a", PIECES, "input", left, side, apart)
    row(out, 92, "1: scan each piece", scanned, "intermediate", left, side, apart)
    row(out, 154, "its sum", [[value] for value in sums], "intermediate", left + last, side, apart)
    row(out, 218, "2: what lies before it", [[value] for value in offsets], "intermediate", left + last, side, apart)
    row(out, 280, "3: add that, out", whole, "output", left, side, apart)
    return 316, "".join(out)


def lookback() -> tuple[int, str]:
    left, width, apart, y = 60, 128, 160, 62
    prefixes, asker, out = list(accumulate(OWN_SUMS)), len(OWN_SUMS) - 1, []
    for piece, own in enumerate(OWN_SUMS):
        x, done = left + piece * apart, piece < FINISHED
        out.append(text(x + width / 2, 50, f"piece {piece}", "middle", "name"))
        out.append(cell(x, y, width, 34, "output" if done else "input"))
        said = f"prefix {prefixes[piece]}" if done else f"sum {own}"
        out.append(text(x + width / 2, y + 22, said, "middle", "on"))
        if FINISHED - 1 <= piece < asker:
            start, end = x + apart + width / 2 - 12, x + width / 2 + 12
            out.append(f'<path class="sent" d="M{start:g} {y + 38} C{start:g} {y + 76} {end:g} {y + 76} {end:g} {y + 38} m-4 7 l4 -7 l4 7"/>')
    asked = [OWN_SUMS[piece] for piece in range(asker - 1, FINISHED - 1, -1)] + [prefixes[FINISHED - 1]]
    before = sum(asked)
    out.append(text(left, 20, f"The block of piece {asker} walks to the left until it meets a prefix."))
    out.append(text(left, 164, f"before piece {asker}: {' + '.join(map(str, asked))} = {before}"))
    out.append(text(left, 188, f"it publishes: prefix {before} + {OWN_SUMS[asker]} = {before + OWN_SUMS[asker]}"))
    return 200, "".join(out)


DRAWINGS = {"rounds": rounds, "pieces": pieces, "lookback": lookback}
