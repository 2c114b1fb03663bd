"""Drawings of chapter 10: stores that land in what nobody uses, and an addition that gets lost."""

from __future__ import annotations

from drawings import cell, text

EACH, THREADS, SAMPLES, HANDED_OUT = 4, 3, 10, 16


def beyond() -> tuple[int, str]:
    """Three threads of four stores each, ten samples, memory handed out in pieces of sixteen."""
    left, side, top = 120, 44, 74
    out = [text(0, top + 20, "out", kind="name")]
    for thread in range(THREADS):
        begin = left + thread * EACH * side
        out.append(text(begin + EACH * side / 2, 18, f"thread {thread}", "middle", "name"))
        out.append(f'<path class="own" d="M{begin + 6} 36 H{begin + EACH * side - 6} M{begin + EACH * side / 2:g} 36 V{top - 6} m-4 -6 l4 6 l4 -6"/>')
    for i in range(HANDED_OUT):
        x = left + i * side
        stored, own = i < THREADS * EACH, i < SAMPLES
        out.append(cell(x, top, side, 30, "input" if own else "output" if stored else "cell"))
        out.append(text(x + side / 2, top + 20, f"[{i}]", "middle", "on small" if stored else "name small"))
    out.append(f'<path class="barrier" d="M{left + SAMPLES * side} {top - 16} V{top + 46}"/>')
    out.append(text(left + SAMPLES * side / 2, top + 54, f"what was asked for: {SAMPLES} samples", "middle"))
    out.append(text(left + (SAMPLES + HANDED_OUT) * side / 2, top + 54, "handed out with it, and unused", "middle"))
    return top + 70, "".join(out)


def steps(order: str, adds: dict[str, int], start: int) -> tuple[list[tuple[str, str, int]], int]:
    """What threads read, add and store, one step a letter of `order`; and what is left in memory at the end."""
    memory, held, done, said = start, {}, {name: 0 for name in adds}, []
    for name in order:
        step = done[name]
        if step == 0:
            held[name] = memory
        elif step == 1:
            held[name] += adds[name]
        else:
            memory = held[name]
        said.append((name, ("reads", "adds", "stores")[step], held[name]))
        done[name] = step + 1
    return said, memory


def lost() -> tuple[int, str]:
    """Two threads add 3 and 2 to a sum of 5: one after the other, and at the same time."""
    adds, start, row, top = {"A": 3, "B": 2}, 5, 34, 58
    out = []
    for number, (order, words) in enumerate((("AAABBB", "one after the other"), ("ABABAB", "at the same time"))):
        x = 20 + number * 430
        said, end = steps(order, adds, start)
        out.append(text(x, 16, words))
        for column, name in enumerate(adds):
            out.append(text(x + 60 + column * 130, top - 16, f"thread {name}: + {adds[name]}", "middle", "name"))
        out.append(text(x + 320, top - 16, "sum", "middle", "name"))
        memory = start
        for line, (name, step, value) in enumerate(said):
            y = top + line * row
            where = x + 60 + list(adds).index(name) * 130
            out.append(cell(where - 52, y, 104, 26, "intermediate" if step == "stores" else "faint"))
            out.append(text(where, y + 18, f"{step} {value}" if step != "adds" else f"has {value}", "middle", "on" if step == "stores" else ""))
            memory = value if step == "stores" else memory
            out.append(text(x + 320, y + 18, str(memory), "middle"))
        y = top + len(said) * row
        right = end == start + sum(adds.values())
        out.append(cell(x + 298, y, 44, 26, "input" if right else "output"))
        out.append(text(x + 320, y + 18, str(end), "middle", "on"))
        out.append(text(x + 60, y + 18, f"{start} + 3 + 2 = {start + sum(adds.values())}"))
    return top + 7 * row, "".join(out)


DRAWINGS = {"beyond": beyond, "lost": lost}
