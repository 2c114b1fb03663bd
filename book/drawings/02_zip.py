"""Drawing of chapter 02: four elements of --zip, and one of them in --steps."""

from __future__ import annotations

from drawings import cell, text

ALPHA, STEPS, A, B = 0.75, 16, [8.0, 2.0, 4.0, 6.0], [-2.0, 5.0, -5.0, 0.5]


def shown(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def step(value: float, shift: float) -> tuple[str, float]:
    result = ALPHA * value + shift
    return f"{ALPHA:g}·{shown(value)} {'−' if shift < 0 else '+'} {shown(abs(shift))}", result


def one_index() -> tuple[int, str]:
    wide, side, first, apart = 108, 46, 78, 122
    memory_top, thread_top, steps = 40, 128, 3
    out = [text(0, memory_top + 20, "a, b"), text(0, thread_top + 20, "thread")]

    def inputs(x: float, i: int) -> None:
        for place, value in ((x, A[i]), (x + wide - side, B[i])):
            out.append(cell(place, memory_top, side, 30, "input"))
            out.append(text(place + side / 2, memory_top + 20, shown(value), "middle", "on"))
            out.append(f'<path class="own" d="M{place + side / 2:g} {memory_top + 34} V{thread_top - 4} m-4 -6 l4 6 l4 -6"/>')
        out.append(text(x + side / 2, memory_top - 8, f"a[{i}]", "middle", "name"))
        out.append(text(x + wide - side / 2, memory_top - 8, f"b[{i}]", "middle", "name"))

    def result(x: float, top: float, name: str, value: float) -> None:
        middle = x + wide / 2
        out.append(f'<path class="own" d="M{middle:g} {top - 32} V{top - 4} m-4 -6 l4 6 l4 -6"/>')
        out.append(cell(middle - side / 2, top, side, 30, "output"))
        out.append(text(middle, top + 20, shown(round(value, 2)), "middle", "on"))
        out.append(text(middle, top + 46, name, "middle", "name"))

    for i in range(len(A)):
        x = first + i * apart
        inputs(x, i)
        words, value = step(A[i], B[i])
        out.append(cell(x, thread_top, wide, 30, "cell"))
        out.append(text(x + wide / 2, thread_top + 20, words, "middle", "name"))
        result(x, thread_top + 66, f"once[{i}]", value)
    out.append(text(first, 12, "--zip: one step each"))

    x, value = first + len(A) * apart + 44, A[0]
    out.append(text(x, 12, "--steps: the first three of sixteen"))
    inputs(x, 0)
    height = 30 + 24 * steps
    out.append(cell(x, thread_top, wide + 46, height, "cell"))
    for number in range(steps):
        words, after = step(value, B[0])
        out.append(text(x + 12, thread_top + 20 + 24 * number, f"{words} = {shown(after)}", kind="name"))
        value = after
    out.append(text(x + 12, thread_top + 20 + 24 * steps, f"... {STEPS - steps} more", kind="name"))
    for _ in range(STEPS - steps):
        value = step(value, B[0])[1]
    result(x, thread_top + height + 36, "often[0]", value)
    out.append(text(0, thread_top + 86, "result"))
    return thread_top + height + 92, "".join(out)


DRAWINGS = {"one_index": one_index}
