"""Drawings of chapter 35: vectors and what is left behind them, a slice between multiples of 16 bytes, and the two layouts
of particles."""

from __future__ import annotations

from drawings import cell, text

WIDTH = 4  # floats of a vector


def floats(left: float, y: float, count: int, vector_of, thread_of) -> list[str]:
    """A line of floats; those of a vector are filled, and each names the thread that moves it."""
    side, out = 48, []
    for i in range(count):
        whole = vector_of(i)
        out += [cell(left + i * side, y, side, 30, "input" if whole else "cell"),
                text(left + (i + 0.5) * side, y + 20, f"t{thread_of(i)}", "middle", "on" if whole else "small"),
                text(left + (i + 0.5) * side, y + 46, str(i), "middle", "small")]
    return out


def tail() -> tuple[int, str]:
    size = 11
    vectors = size // WIDTH
    out = floats(10, 30, size, lambda i: i < vectors * WIDTH,
                 lambda i: i // WIDTH if i < vectors * WIDTH else vectors + i - vectors * WIDTH)
    for vector in range(vectors):
        out.append(text(10 + (vector + 0.5) * WIDTH * 48, 18, f"vector {vector}", "middle", "name"))
    return 88, "".join(out)


def slice_parts() -> tuple[int, str]:
    begins, size, left, side = 1, 14, 58, 48
    head = min(-begins % WIDTH, size)
    vectors = (size - head) // WIDTH
    end = head + vectors * WIDTH
    out = [cell(10, 30, side, 30, "faint")]
    out += floats(left, 30, size, lambda i: head <= i < end,
                  lambda i: i if i < head else (i - head) // WIDTH if i < end else i - end)
    for boundary in range(0, begins + size + 1, WIDTH):
        out.append(f'<path class="own" d="M{10 + boundary * side} 22 V68"/>')
    for name, first, behind in (("head", 0, head), ("vectors", head, end), ("tail", end, size)):
        out.append(text(left + (first + behind) / 2 * side, 14, name, "middle", "name"))
    return 88, "".join(out)


def layout() -> tuple[int, str]:
    particles, fields, side, wanted = 4, 4, 24, 3
    out = []
    for y, title, place in ((30, "array of structures", lambda p, f: p * fields + f),
                            (110, "structure of arrays", lambda p, f: f * particles + p)):
        out.append(text(10, y + 18, title, "start", "name"))
        for particle in range(particles):
            for field in range(fields):
                at = place(particle, field)
                x = 200 + at * side + at // fields * 14
                kind = "input" if field == wanted else "cell"
                out += [cell(x, y, side, 26, kind),
                        text(x + side / 2, y + 18, f"{particle}{'xyza'[field]}", "middle", "on" if field == wanted else "small")]
        sectors = {place(particle, wanted) // fields for particle in range(particles)}
        out.append(text(200, y + 44, f"{len(sectors)} sector{'s' if len(sectors) > 1 else ''} for {particles} numbers", "start", "small"))
    return 164, "".join(out)


DRAWINGS = {"tail": tail, "slice": slice_parts, "layout": layout}
