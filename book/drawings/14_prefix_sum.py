"""Drawings of chapter 14: the rounds of a scan in eight threads, three pieces and their offsets, and a look back."""

from __future__ import annotations

from itertools import accumulate

from drawings import cell, text

ELEMENTS = [3, 1, 4, 1, 5, 9, 2, 6]


def scan_rounds(values: list[int]) -> list[list[int]]:
    """What the threads hold before the scan, and after each of its rounds."""
    rounds, distance = [values], 1
    while distance < len(values):
        held = rounds[-1]
        rounds.append([value + (held[t - distance] if t >= distance else 0) for t, value in enumerate(held)])
        distance *= 2
    return rounds


def rounds() -> tuple[int, str]:
    held = scan_rounds(ELEMENTS)
    assert held[-1] == list(accumulate(ELEMENTS))
    left, apart, box, row, top = 150, 66, 40, 76, 34
    centre = [left + apart * t + box / 2 for t in range(len(ELEMENTS))]
    out = [text(x, 18, f"thread {t}" if t == 0 else str(t), "middle", "name") for t, x in enumerate(centre)]
    for number, values in enumerate(held):
        y, distance = top + number * row, 2 ** (number - 1)
        if number:
            for t, x in enumerate(centre):
                out.append(f'<path class="own" d="M{x:g} {y - row + 30} V{y}"/>')
                if t >= distance:
                    out.append(f'<path class="sent" d="M{centre[t - int(distance)]:g} {y - row + 30} L{x:g} {y}"/>')
        out.append(text(0, y + 20, "its own value" if number == 0 else f"distance {int(distance)}"))
        for t, (x, value) in enumerate(zip(centre, values)):
            out.append(cell(x - box / 2, y, box, 30, "output" if t < 2**number else "input"))
            out.append(text(x, y + 20, str(value), "middle", "on"))
        counted = min(2**number, len(ELEMENTS))
        said = "the sum of 1 value" if number == 0 else f"up to {counted} values" if counted < len(ELEMENTS) else "all up to its own"
        out.append(text(left + apart * (len(ELEMENTS) - 1) + box + 24, y + 20, said))
    return top + (len(held) - 1) * row + 40, "".join(out)


def three_launches() -> tuple[int, str]:
    """Twelve elements in three pieces of four."""
    elements, piece, side, left, top = [*ELEMENTS, 5, 3, 5, 8], 4, 44, 190, 30
    pieces = [elements[i:i + piece] for i in range(0, len(elements), piece)]
    alone = [list(accumulate(values)) for values in pieces]
    sums = [values[-1] for values in alone]
    offsets = [0, *accumulate(sums)][:-1]
    gap = 26
    x_of = [left + i * side + i // piece * gap for i in range(len(elements))]
    out = []

    def line(y: int, values: list[int], kind: str, said: str, name: str) -> None:
        out.append(text(0, y + 20, said, "start", "name" if name else ""))
        for x, value in zip(x_of, values):
            out.append(cell(x, y, side, 30, kind))
            out.append(text(x + side / 2, y + 20, str(value), "middle", "cell" if kind == "cell" else "on"))

    line(top, elements, "input", "a", "name")
    line(top + 62, [value for values in alone for value in values], "intermediate", "1: each piece alone", "")
    for number in range(len(pieces)):
        end = x_of[number * piece + piece - 1] + side / 2
        out.append(text(end + side / 2 + 4, top + 62 + 20, "", "start"))
        y = top + 124
        out.append(f'<path class="own" d="M{end:g} {top + 92} V{y}"/>')
        out.append(cell(end - side / 2, y, side, 30, "cell"))
        out.append(text(end, y + 20, str(sums[number]), "middle"))
        to = x_of[number * piece] + side / 2
        out.append(cell(to - side / 2, y + 62, side, 30, "cell"))
        out.append(text(to, y + 82, str(offsets[number]), "middle"))
        for before in range(number):
            start = x_of[before * piece + piece - 1] + side / 2
            out.append(f'<path class="sent" d="M{start:g} {y + 30} L{to:g} {y + 62}"/>')
        out.append(f'<path class="own" d="M{to:g} {y + 92} V{y + 124}"/>')
    out.append(text(0, top + 144, "   the sum of each piece"))
    out.append(text(0, top + 206, "2: all sums before it"))
    line(top + 248, list(accumulate(elements)), "output", "3: added to each", "")
    return top + 290, "".join(out)


def looking_back() -> tuple[int, str]:
    """Piece 4 looks back: two sums, then a prefix."""
    alone = [9, 22, 21, 7, 12]
    kinds = ["prefix", "prefix", "sum", "sum", "sum"]
    shown = [value if kind == "sum" else total for kind, value, total in zip(kinds, alone, accumulate(alone))]
    side, left, y = 96, 130, 52
    out = [text(0, y + 26, "states", "start", "name")]
    for number, (kind, value) in enumerate(zip(kinds, shown)):
        x = left + number * (side + 28)
        out.append(text(x + side / 2, y - 12, f"piece {number}", "middle", "name"))
        out.append(cell(x, y, side, 40, "output" if kind == "prefix" else "intermediate"))
        out.append(text(x + side / 2, y + 25, f"{kind} {value}", "middle", "on"))
        if 0 < number < len(kinds) and number >= 2:
            start, to = x + side / 2, x - 28 - side / 2
            out.append(f'<path class="sent" d="M{start:g} {y + 40} Q{(start + to) / 2:g} {y + 84} {to:g} {y + 40}"/>')
            out.append(text((start + to) / 2, y + 80, f"{len(kinds) - number}.", "middle"))
    met = [shown[number] for number in (3, 2, 1)]
    out.append(text(left, y + 118, f"Before piece 4: {' + '.join(map(str, met))} = {sum(met)}. Its prefix: {sum(met)} + {alone[4]} = {sum(met) + alone[4]}, which it publishes."))
    assert sum(met) == sum(alone[:4])
    return y + 130, "".join(out)


DRAWINGS = {"rounds": rounds, "three_launches": three_launches, "looking_back": looking_back}
