"""Drawings of chapter 37: eight numbers with a running maximum and sum, and four lanes that merge their pairs."""

from __future__ import annotations

import math

from drawings import cell, text

X = [1, 3, 2, 5, 4, 5, 0, 6]


def shown(value: float) -> str:
    return f"{value:.2f}"


def merge(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    largest = max(a[0], b[0])
    return largest, a[1] * math.exp(a[0] - largest) + b[1] * math.exp(b[0] - largest)


def power(exponent: float) -> str:
    """e to a power, the power raised."""
    return f'e<tspan dy="-5" font-size="75%">{f"{exponent:g}".replace("-", "−")}</tspan>'


def online() -> tuple[int, str]:
    """A column is an element: the maximum so far, what the sum is multiplied by, what is added, the sum so far."""
    left, apart, wide, high, top = 240, 77, 62, 28, 6
    lines = ["x", "maximum so far", "the sum so far shrinks by", "what is added", "sum so far"]
    places = [top, top + 52, top + 92, top + 132, top + 172]
    out = [text(0, y + 19, words, "start", "name" if words == "x" else "") for words, y in zip(lines, places)]
    largest, total = -math.inf, 0.0
    for i, value in enumerate(X):
        x = left + apart * i
        before, largest = largest, max(largest, value)
        factor = math.exp(before - largest) if i else 0.0
        added = math.exp(value - largest)
        total = total * factor + added
        changed = i > 0 and largest > before
        out.append(cell(x, places[0], wide, high, "input"))
        out.append(text(x + wide / 2, places[0] + 19, str(value), "middle", "on"))
        out.append(f'<path class="own" d="M{x + wide / 2:g} {places[0] + high} V{places[1] - 3} m-4 -6 l4 6 l4 -6"/>')
        out.append(cell(x, places[1], wide, high, "intermediate" if changed or i == 0 else "cell"))
        out.append(text(x + wide / 2, places[1] + 19, str(largest), "middle", "on" if changed or i == 0 else ""))
        out.append(text(x + wide / 2, places[2] + 19, power(before - largest) if changed else "1" if i else "", "middle", "small"))
        out.append(text(x + wide / 2, places[3] + 19, "1" if value == largest else power(value - largest), "middle", "small"))
        out.append(cell(x, places[4], wide, high, "output" if i + 1 == len(X) else "faint"))
        out.append(text(x + wide / 2, places[4] + 19, shown(total), "middle", "on small" if i + 1 == len(X) else "small"))
        if i:
            out.append(f'<path class="sent" d="M{x - apart + wide:g} {places[4] + high / 2} H{x - 2:g} m-6 -4 l6 4 l-6 4"/>')
    assert abs(total - sum(math.exp(value - max(X)) for value in X)) < 1e-12
    return places[4] + high + 8, "".join(out)


def merging() -> tuple[int, str]:
    """Four lanes with a pair each: two rounds of the butterfly."""
    lanes = [merge((X[i], 1.0), (X[i + 1], 1.0)) for i in range(0, len(X), 2)]
    rounds, offset = [lanes], len(lanes) // 2
    said = ["maximum, sum of two"]
    while offset:
        before = rounds[-1]
        rounds.append([merge(pair, before[lane ^ offset]) for lane, pair in enumerate(before)])
        said.append(f"after offset {offset}")
        offset //= 2
    left, apart, wide, high, step, top = 230, 158, 116, 30, 84, 46
    out = [text(left + apart * lane + wide / 2, 18, f"lane {lane}", "middle", "name") for lane in range(len(lanes))]
    for lane in range(len(lanes)):
        out.append(text(left + apart * lane + wide / 2, 36, f"{X[2 * lane]} and {X[2 * lane + 1]}", "middle", "small"))
    for number, pairs in enumerate(rounds):
        y = top + number * step
        out.append(text(0, y + 20, said[number]))
        for lane, (largest, total) in enumerate(pairs):
            x = left + apart * lane
            if number:
                partner = lane ^ (len(lanes) >> number)
                out.append(f'<path class="own" d="M{x + wide / 2:g} {y - step + high} V{y}"/>')
                out.append(f'<path class="sent" d="M{left + apart * partner + wide / 2:g} {y - step + high} L{x + wide / 2:g} {y}"/>')
        for lane, (largest, total) in enumerate(pairs):
            x = left + apart * lane
            kind = "output" if number + 1 == len(rounds) else "input" if number == 0 else "intermediate"
            out.append(cell(x, y, wide, high, kind))
            out.append(text(x + wide / 2, y + 20, f"{largest:g}, {shown(total)}", "middle", "on"))
    last = rounds[-1]
    assert all(pair[0] == max(X) and abs(pair[1] - sum(math.exp(value - max(X)) for value in X)) < 1e-12 for pair in last)
    return top + (len(rounds) - 1) * step + high + 8, "".join(out)


DRAWINGS = {"online": online, "merging": merging}
