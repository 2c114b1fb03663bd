"""Drawings of chapter 08: the sums of a frame of four samples, and how four threads share them."""

from __future__ import annotations

from drawings import cell, text

FRAME = [3, 1, 4, 2]


def sums(frame: list[int]) -> list[int]:
    """What each lag's thread stores."""
    return [sum(frame[k] * frame[k + lag] for k in range(len(frame) - lag)) for lag in range(len(frame))]


def shifts() -> tuple[int, str]:
    """One row a lag: the frame above, the frame shifted by the lag below, pairs filled."""
    left, side, row, top = 150, 34, 104, 16
    out = []
    for lag, total in enumerate(sums(FRAME)):
        y = top + lag * row
        out.append(text(0, y + 22, f"thread {lag}", kind="name"))
        out.append(text(0, y + 60, f"lag {lag}"))
        pairs = [k for k in range(len(FRAME)) if k + lag < len(FRAME)]
        for place, value in enumerate(FRAME):
            for x, y_cell, paired in ((left + place * side, y, place - lag in pairs), (left + (place + lag) * side, y + 40, place in pairs)):
                out.append(cell(x, y_cell, side, 30, "input" if paired else "cell"))
                out.append(text(x + side / 2, y_cell + 20, str(value), "middle", "on" if paired else ""))
        terms = " + ".join(f"{FRAME[k]}·{FRAME[k + lag]}" for k in pairs)
        end = left + 2 * len(FRAME) * side + 24
        out.append(text(end, y + 42, f"{terms} = {total}"))
        out.append(cell(780, y + 22, 44, 30, "output"))
        out.append(text(802, y + 42, str(total), "middle", "on"))
    return top + len(FRAME) * row - 20, "".join(out)


def staging() -> tuple[int, str]:
    """x to frame, one sample a thread; the barrier; then what thread 1 reads."""
    left, apart, side = 190, 96, 50
    x_top, frame_top, barrier, out_top, reader = 34, 130, 196, 262, 1
    centre = [left + apart * i + side / 2 for i in range(len(FRAME))]
    out = [text(0, x_top + 20, "x, global memory"), text(0, frame_top + 20, "frame, shared memory"),
           text(0, barrier + 5, "__syncthreads()", kind="name"), text(0, out_top + 20, "out, global memory")]
    for place, value in enumerate(FRAME):
        middle = centre[place]
        out.append(text(middle, 18, f"thread {place}", "middle", "name"))
        out.append(cell(middle - side / 2, x_top, side, 30, "input"))
        out.append(text(middle, x_top + 20, str(value), "middle", "on"))
        out.append(f'<path class="own" d="M{middle:g} {x_top + 32} V{frame_top - 4} m-4 -6 l4 6 l4 -6"/>')
        out.append(cell(middle - side / 2, frame_top, side, 30, "intermediate"))
        out.append(text(middle, frame_top + 20, str(value), "middle", "on"))
        mine = place == reader
        out.append(f'<path class="sent" d="M{middle:g} {frame_top + 32} L{centre[reader]:g} {out_top - 2}"/>')
        out.append(cell(middle - side / 2, out_top, side, 30, "output" if mine else "cell"))
        out.append(text(middle, out_top + 20, str(sums(FRAME)[place]), "middle", "on" if mine else ""))
    right = centre[-1] + side / 2
    out.append(f'<path class="barrier" d="M{left - 16} {barrier} H{right + 16:g}"/>')
    for line, words in ((x_top + 44, "before it: one read and one store a thread"), (barrier + 30, "after it: thread 1 reads all four")):
        out.append(text(right + 30, line, words))
    return out_top + 40, "".join(out)


DRAWINGS = {"shifts": shifts, "staging": staging}
