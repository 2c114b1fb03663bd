"""Drawings of chapter 28: rows that are copied and crossed with one, two and four stages; and recordings that go to the
device and back, in turn and in three streams. Both are worked out, as schedules, from how long the parts take."""

from __future__ import annotations

from drawings import cell, text

LATENCY, CROSS, ROWS = 7, 4, 6  # of a copy; of a row; in units of time


def schedule(stages: int) -> list[tuple[int, int, int]]:
    """Of each row, when its copy begins, when it is waited for no longer, and when it has been crossed."""
    begun = [0] * (stages - 1)
    now, rows = 0, []
    for row in range(ROWS):
        begun.append(now)
        arrived = max(now, begun[row] + LATENCY)
        now = arrived + CROSS
        rows.append((begun[row], arrived, now))
    return rows


def stages() -> tuple[int, str]:
    left, unit, lane, out, y = 100, 11, 19, [], 0
    for count, name in ((1, "one stage"), (2, "two stages"), (4, "four stages")):
        rows = schedule(count)
        out.append(text(0, y + 16, name, "start", "name"))
        for row, (begin, arrived, crossed) in enumerate(rows):
            at = y + row % count * lane
            out.append(cell(left + begin * unit, at + 2, LATENCY * unit, lane - 4, "input"))
            out.append(text(left + (begin + LATENCY / 2) * unit, at + 14, f"copy {row}", "middle", "on small"))
            out.append(cell(left + arrived * unit, y + count * lane + 2, CROSS * unit, lane - 4, "output"))
            out.append(text(left + (arrived + CROSS / 2) * unit, y + count * lane + 14, str(row), "middle", "on small"))
        out.append(text(0, y + count * lane + 14, "rows", "start", "small"))
        end = rows[-1][2]
        out.append(text(left + end * unit + 8, y + count * lane + 14, f"{end}", "start", "small"))
        y += (count + 1) * lane + 20
    out.append(text(left, y + 6, f"A copy takes {LATENCY} units of time, a row {CROSS}. Numbers at the right: when the last row has been crossed."))
    return y + 20, "".join(out)


def streams() -> tuple[int, str]:
    """Four recordings through the two copy engines and the multiprocessors."""
    left, unit, lane, part, count, out, y = 112, 7, 26, 8, 4, [], 0
    for name, ways in (("in turn", 1), ("three streams", 3)):
        free, ready = [0, 0, 0], [0] * ways
        out.append(text(0, y + 14, name, "start", "name"))
        for engine, label in enumerate(("to the device", "kernel", "to the host")):
            out.append(text(0, y + 26 + engine * lane + 17, label, "start", "small"))
        for recording in range(count):
            for engine, kind in enumerate(("input", "intermediate", "output")):
                begin = max(free[engine], ready[recording % ways])
                free[engine] = ready[recording % ways] = begin + part
                at = y + 26 + engine * lane
                out.append(cell(left + begin * unit, at + 2, part * unit, lane - 4, kind))
                out.append(text(left + (begin + part / 2) * unit, at + 18, str(recording), "middle", "on"))
        y += 26 + 3 * lane + 16
    return y, "".join(out)


DRAWINGS = {"stages": stages, "streams": streams}
