"""Drawings of chapter 09: a loop that goes one too far, and a barrier that one thread of four comes to."""

from __future__ import annotations

from drawings import cell, text

DAYS, HOURS = 4, 2
VALUES = [3, 5, 4, 6, 1, 3, 2, 2]


def taken(day: int) -> list[int]:
    """The elements that the loop of a day reads when it goes on to its end and one further."""
    return list(range(day * HOURS, day * HOURS + HOURS + 1))


def too_far() -> tuple[int, str]:
    left, side, top, row = 190, 56, 34, 46
    out = [text(0, top + 20, "temperatures", kind="name")]
    for i, value in enumerate(VALUES):
        x = left + i * side
        out.append(cell(x, top, side, 30, "input"))
        out.append(text(x + side / 2, top + 20, str(value), "middle", "on"))
        out.append(text(x + side / 2, top - 10, f"[{i}]", "middle", "name small"))
    outside = left + len(VALUES) * side
    out.append(text(outside + side / 2, top + 20, "?", "middle"))
    for day in range(DAYS):
        y = top + 50 + day * row
        own = VALUES[day * HOURS:(day + 1) * HOURS]
        out.append(text(0, y + 18, f"day {day}: thread {day}", kind="name"))
        for i in taken(day):
            extra = i >= (day + 1) * HOURS
            out.append(cell(left + i * side + 3, y, side - 6, 26, "output" if extra else "faint"))
            held = str(VALUES[i]) if i < len(VALUES) else "?"
            out.append(text(left + i * side + side / 2, y + 18, held, "middle", "on" if extra else ""))
        total = sum(VALUES[i] for i in taken(day) if i < len(VALUES))
        said = f"{total}" if taken(day)[-1] < len(VALUES) else "?"
        out.append(text(outside + side + 22, y + 18, f"sum {said}, should be {sum(own)}"))
    return top + 50 + DAYS * row, "".join(out)


def apart() -> tuple[int, str]:
    """Threads 0 to 3 go down the page; thread 2 alone takes the branch."""
    left, way, top, lines = 250, 90, 40, {"first": 90, "branch": 180, "last": 270}
    alone, bottom = 2, 330
    end = left + 3 * way
    out = [text(0, lines["first"] + 5, "__syncthreads()", kind="name"), text(0, lines["branch"] + 5, "if (...) __syncthreads()", kind="name"),
           text(0, lines["last"] + 5, "__syncthreads()", kind="name")]
    for thread in range(4):
        x = left + thread * way
        out.append(text(x, top - 14, f"thread {thread}", "middle", "name"))
        stop = lines["branch"] if thread == alone else lines["last"]
        out.append(f'<path class="own" d="M{x} {top} V{stop - 4} m-4 -6 l4 6 l4 -6"/>')
        out.append(cell(x - 34, stop + 4, 68, 26, "output" if thread == alone else "intermediate"))
        out.append(text(x, stop + 22, "waits", "middle", "on"))
    out.append(f'<path class="barrier" d="M{left - 50} {lines["first"]} H{end + 50}"/>')
    out.append(f'<path class="barrier" d="M{left + alone * way - 50} {lines["branch"]} H{left + alone * way + 50}"/>')
    out.append(f'<path class="barrier" d="M{left - 50} {lines["last"]} H{end + 50}"/>')
    for y, words in ((lines["first"], "all four come: they go on"), (lines["branch"], "one comes, and waits"), (lines["last"], "three come, and wait")):
        out.append(text(end + 70, y + 5, words))
    return bottom, "".join(out)


DRAWINGS = {"too_far": too_far, "apart": apart}
