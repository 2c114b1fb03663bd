"""Drawings of chapter 12: the tree on eight sums, and which banks two ways of pairing meet."""

from __future__ import annotations

from drawings import cell, text

SUMS = [3, 1, 4, 2, 6, 5, 7, 2]


def rounds(values: list[int]) -> list[list[int]]:
    """What the shared array holds before the tree and after each of its rounds."""
    found = [values]
    half = len(values) // 2
    while half:
        before = found[-1]
        found.append([value + before[t + half] if t < half else value for t, value in enumerate(before)])
        half //= 2
    return found


def tree() -> tuple[int, str]:
    held = rounds(SUMS)
    left, apart, box, step, top = 190, 62, 44, 84, 30
    out = [text(left + apart * t + box / 2, 18, f"sums[{t}]", "middle", "name") for t in range(len(SUMS))]
    half = len(SUMS) // 2
    for number, values in enumerate(held):
        y = top + number * step
        if number:
            for t in range(half):
                x = left + apart * t + box / 2
                out.append(f'<path class="own" d="M{x:g} {y - step + 30} V{y}"/>')
                out.append(f'<path class="sent" d="M{x + apart * half:g} {y - step + 30} L{x:g} {y}"/>')
            threads = "thread adds" if half == 1 else "threads add"
            out.append(text(0, y + 20, f"half {half}: {half} {threads}"))
            out.append(f'<path class="barrier" d="M{left:g} {y - step + 38} H{left + apart * len(SUMS) - apart + box:g}"/>')
        else:
            out.append(text(0, y + 20, "one sum a thread"))
        alive = half if number else len(SUMS)
        for t, value in enumerate(values):
            x = left + apart * t
            out.append(cell(x, y, box, 30, "input" if t < alive else "cell"))
            out.append(text(x + box / 2, y + 20, str(value), "middle", "on" if t < alive else ""))
        if number:
            half //= 2
    return top + (len(held) - 1) * step + 42, "".join(out)


def banks() -> tuple[int, str]:
    """A warp of eight threads and eight banks: the words that the threads read, side by side and every second one."""
    threads, side = 8, 40
    out = []
    for left, said, word_of in ((70, "sums[t]", lambda t: t), (480, "sums[2 * t]", lambda t: 2 * t)):
        reader = {word_of(t): t for t in range(threads)}
        busiest = max(sum(1 for word in reader if word % threads == bank) for bank in range(threads))
        out.append(text(left, 16, f"thread t reads {said}", "start", "name"))
        for bank in range(threads):
            out.append(text(left + (bank + 0.5) * side, 44, f"{bank}", "middle", "name"))
        for word in range(2 * threads):
            x, y = left + word % threads * side, 54 + word // threads * 32
            met = word in reader
            out.append(cell(x, y, side, 32, "input" if met else "cell"))
            out.append(text(x + side / 2, y + 21, f"t{reader[word]}" if met else str(word), "middle", "on" if met else "small"))
        out.append(text(left, 142, f"at most {busiest} thread{'s' if busiest > 1 else ''} in a bank: {busiest} pass{'es' if busiest > 1 else ''}"))
    out.append(text(0, 44, "bank"))
    return 152, "".join(out)


DRAWINGS = {"tree": tree, "banks": banks}
