"""Drawings of chapter 38: a launch, a wait and a kernel between two readings of a clock; nine trials, their mean and their median."""

from __future__ import annotations

from statistics import mean, median

from drawings import cell, text

CALL, KERNEL, WAIT = 4, 9, 1  # microseconds, rounded
TRIALS = [4, 5, 4, 22, 5]


def two_clocks() -> tuple[int, str]:
    """The host above, the device below, on one scale."""
    left, unit, top, row = 110, 38, 60, 74
    end = CALL + KERNEL + WAIT
    out = [text(0, top + 20, "host", kind="name"), text(0, top + row + 20, "device", kind="name")]
    out.append(cell(left, top, CALL * unit, 30, "input"))
    out.append(text(left + CALL * unit / 2, top + 20, "launch", "middle", "on"))
    out.append(cell(left + CALL * unit, top, (KERNEL + WAIT) * unit, 30, "faint"))
    out.append(text(left + (CALL + (KERNEL + WAIT) / 2) * unit, top + 20, "cudaDeviceSynchronize waits", "middle"))
    out.append(cell(left + CALL * unit, top + row, KERNEL * unit, 30, "output"))
    out.append(text(left + (CALL + KERNEL / 2) * unit, top + row + 20, "kernel", "middle", "on"))
    out.append(f'<path class="sent" d="M{left + CALL * unit} {top + 30} V{top + row - 2}"/>')
    for at, words in ((0, "clock"), (CALL, "clock: too early"), (end, "clock")):
        x = left + at * unit
        out.append(f'<path class="barrier" d="M{x} {top - 14} V{top + row + 44}"/>')
        out.append(text(x, top - 22, words, "middle", "name"))
    out.append(text(left, top + row + 66, f"read too early: {CALL} us, whatever the kernel does"))
    out.append(text(left, top + row + 88, f"read after waiting: {end} us"))
    return top + row + 100, "".join(out)


def trials() -> tuple[int, str]:
    left, unit, top, row = 110, 26, 20, 34
    out = []
    for i, value in enumerate(TRIALS):
        y = top + i * row
        out.append(text(0, y + 19, f"trial {i}", kind="name"))
        out.append(cell(left, y, value * unit, 26, "output" if value == max(TRIALS) else "input"))
        out.append(text(left + value * unit / 2, y + 18, str(value), "middle", "on"))
    bottom = top + len(TRIALS) * row
    for value, words in ((median(TRIALS), "median"), (mean(TRIALS), "mean")):
        x = left + value * unit
        out.append(f'<path class="barrier" d="M{x} {top - 6} V{bottom + 6}"/>')
        out.append(text(x, bottom + 24, f"{words} {value:g}", "middle", "name"))
    return bottom + 36, "".join(out)


DRAWINGS = {"two_clocks": two_clocks, "trials": trials}
