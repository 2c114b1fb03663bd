"""Drawings of chapter 26: a scan by shuffles up, the places that a ballot tells, and who counts for whom after a match.
Warps have eight lanes here."""

from __future__ import annotations

from drawings import cell, text

LANES = 8


def lanes(left: float, apart: float, box: float) -> list[str]:
    return [text(left + apart * lane + box / 2, 18, f"lane {lane}", "middle", "name") for lane in range(LANES)]


def scan() -> tuple[int, str]:
    """Filled: sums that are complete."""
    left, apart, box, step, top = 150, 84, 44, 80, 30
    held = [3, 1, 4, 1, 5, 9, 2, 6]
    rows, d = [("a value each", 0, held)], 1
    while d < LANES:
        held = [value + (held[lane - d] if lane >= d else 0) for lane, value in enumerate(held)]
        rows.append((f"after d = {d}", d, held))
        d *= 2
    assert rows[-1][2] == [sum(rows[0][2][:lane + 1]) for lane in range(LANES)]
    out = lanes(left, apart, box)
    for number, (said, d, values) in enumerate(rows):
        y = top + number * step
        out.append(text(0, y + 20, said))
        for lane, value in enumerate(values):
            x = left + apart * lane
            if number:
                out.append(f'<path class="own" d="M{x + box / 2:g} {y - step + 30} V{y}"/>')
                if lane >= d:
                    out.append(f'<path class="sent" d="M{x - apart * d + box / 2:g} {y - step + 30} L{x + box / 2:g} {y}"/>')
            complete = lane < 2 ** number
            out.append(cell(x, y, box, 30, "input" if complete else "cell"))
            out.append(text(x + box / 2, y + 20, str(value), "middle", "on" if complete else "small"))
    return top + (len(rows) - 1) * step + 36, "".join(out)


def partition() -> tuple[int, str]:
    """Elements, votes, and where each goes; kept ones are filled."""
    left, apart, box = 190, 82, 48
    elements = [5, -2, 7, -1, -3, 4, 6, -9]
    kept = [value >= 0 for value in elements]
    before = [sum(kept[:lane]) for lane in range(LANES)]
    places = [before[lane] if kept[lane] else sum(kept) + lane - before[lane] for lane in range(LANES)]
    assert sorted(places) == list(range(LANES))
    out = lanes(left, apart, box)
    said = ["element", "its vote", "kept before", "place"]
    for number, values in enumerate([elements, [int(k) for k in kept], before, places]):
        y = 28 + number * 38
        out.append(text(0, y + 20, said[number]))
        for lane in range(LANES):
            x = left + apart * lane
            filled = number == 0 and kept[lane]
            out.append(cell(x, y, box, 30, "input" if filled else "cell"))
            out.append(text(x + box / 2, y + 20, str(values[lane]), "middle", "on" if filled else "small"))
    y = 28 + 4 * 38 + 60
    out.append(text(0, y + 20, "out"))
    for lane, place in enumerate(places):
        fx, tx = left + apart * lane + box / 2, left + apart * place
        out.append(f'<path class="{"sent" if kept[lane] else "own"}" d="M{fx:g} {28 + 3 * 38 + 30} L{tx + box / 2:g} {y}"/>')
        out.append(cell(tx, y, box, 30, "output" if kept[lane] else "cell"))
        out.append(text(tx + box / 2, y + 20, str(elements[lane]), "middle", "on" if kept[lane] else "small"))
    return y + 36, "".join(out)


def match() -> tuple[int, str]:
    """Keys, the lanes that each lane is told of, its rank among them, and the lanes that count."""
    left, apart, box = 150, 86, 78
    keys = [2, 7, 2, 2, 0, 7, 2, 0]
    same = [[other for other in range(LANES) if keys[other] == key] for key in keys]
    out = lanes(left, apart, box)
    said = ["key", "lanes with it", "rank", "counts"]
    for number in range(4):
        y = 28 + number * 38
        out.append(text(0, y + 20, said[number]))
        for lane in range(LANES):
            x, lowest = left + apart * lane, same[lane][0] == lane
            words = [str(keys[lane]), ", ".join(map(str, same[lane])), str(same[lane].index(lane)), f"key {keys[lane]}: +{len(same[lane])}" if lowest else ""][number]
            filled = number == 3 and lowest
            if number < 3 or lowest:
                out.append(cell(x, y, box, 30, "input" if filled else "cell"))
            out.append(text(x + box / 2, y + 20, words, "middle", "on" if filled else "small"))
    return 28 + 4 * 38, "".join(out)


DRAWINGS = {"scan": scan, "partition": partition, "match": match}
