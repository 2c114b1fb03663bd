"""Drawings of chapter 27: a tree beside warps that add up on their own, values that are put in the order of their bins,
and counters packed in a word."""

from __future__ import annotations

from drawings import cell, text

VALUES = [3, 1, 4, 1, 5, 9, 2, 6]
WARP = 4


def row(x: float, y: float, side: float, numbers: list, filled=lambda k: False, kind: str = "input") -> str:
    """Numbers in cells; None is an empty cell."""
    return "".join(
        cell(x + k * side, y, side, 26, kind if filled(k) else "cell")
        + ("" if number is None else text(x + (k + 0.5) * side, y + 18, str(number), "middle", "on small" if filled(k) else "small"))
        for k, number in enumerate(numbers)
    )


def barrier(x: float, y: float, length: float) -> str:
    return f'<path class="barrier" d="M{x:g} {y:g}H{x + length:g}"/>'


def sums() -> tuple[int, str]:
    """Eight threads. Left: a tree, with a barrier before each round and behind the last. Right: warps of four."""
    side, out = 40, []
    out.append(text(10, 16, "a tree in shared memory", "start", "name"))
    slots, y, barriers = list(VALUES), 28, 0
    out.append(row(10, y, side, slots))
    left = len(slots) // 2
    while left > 0:
        barriers += 1
        out.append(barrier(10, y + 35, side * 8))
        y += 44
        slots = [slots[k] + slots[k + left] if k < left else None for k in range(len(slots))]
        out.append(row(10, y, side, slots, lambda k, left=left: k < left))
        left //= 2
    barriers += 1
    out.append(barrier(10, y + 35, side * 8))
    assert slots[0] == sum(VALUES)
    height = y + 70
    out.append(text(10, height - 6, f"{barriers} barriers", "start"))

    out.append(text(470, 16, "each warp on its own, then thread 0", "start", "name"))
    y = 28
    out.append(row(470, y, side, VALUES))
    warps = [sum(VALUES[w : w + WARP]) for w in range(0, len(VALUES), WARP)]
    y += 44
    out.append(row(470, y, side, [warps[k // WARP] if k % WARP == 0 else None for k in range(len(VALUES))], lambda k: k % WARP == 0))
    out.append(text(470, y + 44, "shuffles: nothing of this is in shared memory", "start", "small"))
    y += 62
    out.append(row(470, y, side, warps))
    out.append(text(470 + 2 * side + 10, y + 18, "a slot a warp", "start", "small"))
    out.append(barrier(470, y + 35, side * 8))
    y += 44
    out.append(row(470, y, side, [sum(warps)], lambda k: True))
    out.append(text(470, height - 6, "1 barrier", "start"))
    return height, "".join(out)


def groups() -> tuple[int, str]:
    """Eight values of three bins: the flags of bin 1, their exclusive scan, and where the values of bin 1 go."""
    bins, side, left, out = [1, 0, 1, 2, 0, 1, 1, 0], 62, 210, []
    flags = [int(b == 1) for b in bins]
    before = [sum(flags[:k]) for k in range(len(flags))]
    place = sum(b < 1 for b in bins)
    order = sorted(range(len(bins)), key=lambda k: bins[k])  # stable
    lines = [
        ("bin of the value", [str(b) for b in bins]),
        ("flag: is it bin 1", [str(f) for f in flags]),
        ("scan: before", [str(b) for b in before]),
        (f"place: {place} + before", [str(place + b) if f else None for b, f in zip(before, flags)]),
    ]
    for k, (b, f) in enumerate(zip(before, flags)):
        assert not f or order[place + b] == k
    y = 6
    for title, numbers in lines:
        out.append(text(left - 14, y + 18, title, "end", "name"))
        out.append(row(left, y, side, numbers, lambda k: flags[k] == 1))
        y += 34
    out.append(text(left - 14, y + 18, "grouped, by thread", "end", "name"))
    out.append(row(left, y, side, [f"t{k}" for k in order], lambda k: bins[order[k]] == 1, "output"))
    out.append(text(left, y + 46, f"all: {sum(flags)} values of bin 1, so bin 2 begins at {place + sum(flags)}", "start", "small"))
    return y + 54, "".join(out)


def packed() -> tuple[int, str]:
    """Two threads' words of four counters, and their sum."""
    side, left, out, y = 120, 200, [], 24
    a, b = [2, 0, 5, 1], [1, 3, 0, 4]
    word = lambda counters: sum(c << 16 * k for k, c in enumerate(counters))  # noqa: E731
    total = [x + z for x, z in zip(a, b)]
    assert word(a) + word(b) == word(total)
    for k in range(4):
        out.append(text(left + (3 - k + 0.5) * side, 16, f"bin {k}: bits {16 * k} to {16 * k + 15}", "middle", "small"))
    for title, counters, kind in (("thread 0", a, "input"), ("thread 1", b, "input"), ("their sum", total, "output")):
        out.append(text(left - 14, y + 18, title, "end", "name"))
        out.append(row(left, y, side, counters[::-1], lambda k: True, kind))
        y += 34
    out.append(text(left, y + 12, "one addition of 64 bits for all four", "start", "small"))
    return y + 22, "".join(out)


DRAWINGS = {"sums": sums, "groups": groups, "packed": packed}
