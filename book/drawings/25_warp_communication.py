"""Drawings of chapter 25: how wrong points spread from the ends of a warp's segment and why segments overlap; sums that
double across two chunks; and a peak that goes down to lane 0 and back to all. Warps have eight lanes here."""

from __future__ import annotations

from drawings import cell, text

LANES = 8


def ring() -> tuple[int, str]:
    """A point a lane and two steps: of a segment of eight points four are kept. Three segments of one ring."""
    steps, side, height, left = 2, 52, 28, 150
    kept = LANES - 2 * steps
    out = []
    for step in range(steps + 1):
        y = 30 + step * 44
        out.append(text(0, y + 19, "loaded" if not step else f"after step {step}"))
        for lane in range(LANES):
            right = step <= lane < LANES - step
            out.append(cell(left + lane * side, y, side, height, "input" if right else "cell"))
            out.append(text(left + (lane + 0.5) * side, y + 19, str(lane), "middle", "on" if right else "small"))
    out += [text(left + (lane + 0.5) * side, 18, f"lane {lane}", "middle", "name") for lane in range(LANES)]
    y = 30 + (steps + 1) * 44 + 34
    out.append(text(0, y - 10, "segments of three warps, on the points of the ring"))
    side, left = 36, 150
    for warp in range(3):
        top = y + warp * 34
        out.append(text(0, top + 19, f"warp {warp}"))
        for lane in range(LANES):
            point = warp * kept - steps + lane
            own = steps <= lane < LANES - steps
            x = left + (point + steps) * side
            out.append(cell(x, top, side, height, "input" if own else "cell"))
            out.append(text(x + side / 2, top + 19, str(point), "middle", "on" if own else "small"))
    return y + 3 * 34 + 2, "".join(out)


def doubling() -> tuple[int, str]:
    """Two chunks of eight elements, windows of four: what every lane holds after each round."""
    first, second = [3, 1, 4, 1, 5, 9, 2, 6], [5, 3, 5, 8, 9, 7, 9, 3]
    held, rounds, d = [first, second], [("elements", 0, [first, second])], 1
    while d < 4:
        before = held
        held = [[before[c][lane] + before[(c + (lane + d >= LANES)) if c == 0 else 1][(lane + d) % LANES] for lane in range(LANES)]
                for c in range(2)]
        rounds.append((f"after d = {d}", d, held))
        d *= 2
    whole = first + second
    assert all(held[0][lane] == sum(whole[lane:lane + 4]) for lane in range(LANES))
    box, apart, left, step = 32, 42, 120, 82
    out = []
    for c in range(2):
        out.append(text(left + c * 370, 16, f"chunk {c}, lanes 0 to 7", "start", "name"))
    for number, (said, d, values) in enumerate(rounds):
        y = 28 + number * step
        out.append(text(0, y + 20, said))
        for c in range(2):
            for lane in range(LANES):
                x = left + c * 370 + lane * apart
                # In the last chunk windows that would reach beyond its end lack something, and nobody uses them.
                whole_window = c == 0 or lane + 2 ** number <= LANES
                if number and whole_window:
                    to = lane + d + c * LANES
                    fx = left + to // LANES * 370 + to % LANES * apart + box / 2
                    out.append(f'<path class="own" d="M{x + box / 2:g} {y - step + 30} V{y}"/>')
                    out.append(f'<path class="sent" d="M{fx:g} {y - step + 30} L{x + box / 2:g} {y}"/>')
                out.append(cell(x, y, box, 30, "input" if whole_window else "cell"))
                out.append(text(x + box / 2, y + 20, str(values[c][lane]), "middle", "on" if whole_window else "small"))
    return 28 + (len(rounds) - 1) * step + 36, "".join(out)


def broadcast() -> tuple[int, str]:
    """The largest of eight goes down to lane 0; what lane 0 makes of it goes to all."""
    left, apart, box, step, top = 170, 84, 44, 70, 30
    held = [3, 1, 4, 2, 6, 5, 8, 2]
    rows, d = [("magnitudes", 0, held, LANES)], LANES // 2
    while d:
        held = [max(value, held[lane + d]) if lane + d < LANES else value for lane, value in enumerate(held)]
        rows.append((f"after d = {d}", d, held, d))
        d //= 2
    out = [text(left + apart * lane + box / 2, 18, f"lane {lane}", "middle", "name") for lane in range(LANES)]
    for number, (said, d, values, useful) in enumerate(rows):
        y = top + number * step
        out.append(text(0, y + 20, said))
        for lane in range(LANES):
            x = left + apart * lane
            if number and lane < useful:
                out.append(f'<path class="own" d="M{x + box / 2:g} {y - step + 30} V{y}"/>')
                out.append(f'<path class="sent" d="M{x + apart * d + box / 2:g} {y - step + 30} L{x + box / 2:g} {y}"/>')
            kept = lane < useful
            out.append(cell(x, y, box, 30, "input" if kept else "cell"))
            out.append(text(x + box / 2, y + 20, str(values[lane]), "middle", "on" if kept else "small"))
    y = top + len(rows) * step
    out.append(text(0, y + 20, "1/8, broadcast"))
    for lane in range(LANES):
        x = left + apart * lane
        out.append(f'<path class="sent" d="M{left + box / 2:g} {y - step + 30} L{x + box / 2:g} {y}"/>')
        out += [cell(x, y, box, 30, "output"), text(x + box / 2, y + 20, "1/8", "middle", "on")]
    assert rows[-1][2][0] == 8
    return y + 36, "".join(out)


DRAWINGS = {"ring": ring, "doubling": doubling, "broadcast": broadcast}
