"""Drawing of chapter 03: eight threads, six elements, and what the two ends lack."""

from __future__ import annotations

from drawings import cell, text

BLOCK, A = 4, [2, 5, 4, 8, 7, 1]


def change(a: list[int]) -> list[tuple[int, int]]:
    """The right and the left neighbour of each element; 0 before the first, the last one after the last."""
    return [(a[i + 1] if i + 1 < len(a) else a[-1], a[i - 1] if i > 0 else 0) for i in range(len(a))]


def neighbours() -> tuple[int, str]:
    side, first, apart, a_top, thread_top, near_top = 46, 150, 84, 34, 150, 246
    threads = -(-len(A) // BLOCK) * BLOCK
    out = [text(0, a_top + 20, "a", kind="name"), text(0, thread_top + 20, "thread"), text(0, near_top + 20, "near", kind="name")]

    def centre(i: int) -> float:
        return first + i * apart + side / 2

    def box(i: int, top: int, words: str, kind: str) -> None:
        out.append(cell(centre(i) - side / 2, top, side, 30, kind))
        out.append(text(centre(i), top + 20, words, "middle", "on" if kind in ("input", "output") else ""))

    for i, value in [(-1, 0), *enumerate(A), (len(A), A[-1])]:
        box(i, a_top, str(value), "input" if 0 <= i < len(A) else "cell")
        out.append(text(centre(i), a_top - 10, f"[{i}]" if 0 <= i < len(A) else "not there", "middle", "name small" if 0 <= i < len(A) else "small"))
    for i in range(threads):
        owns = i < len(A)
        out.append(cell(centre(i) - side / 2 - 10, thread_top, side + 20, 30, "cell"))
        out.append(text(centre(i), thread_top + 20, str(i), "middle", "name" if owns else ""))
        if not owns:
            out.append(text(centre(i), near_top + 20, "no element", "middle", "small"))
            continue
        right, left = change(A)[i]
        for way, to in ((-1, -14), (1, 14)):
            kind = "own" if 0 <= i + way < len(A) else "sent"
            out.append(f'<path class="{kind}" d="M{centre(i + way) - 8 * way:g} {a_top + 34} L{centre(i) + to:g} {thread_top - 3}"/>')
        out.append(text(centre(i), thread_top + 50, f"{right} − {left}", "middle", "name"))
        out.append(f'<path class="own" d="M{centre(i):g} {thread_top + 60} V{near_top - 4} m-4 -6 l4 6 l4 -6"/>')
        box(i, near_top, f"{right - left}".replace("-", "−"), "output")
    for block in range(threads // BLOCK):
        out.append(text(centre(block * BLOCK) - side / 2 - 10, near_top + 54, f"block {block}", kind="name"))
        end = centre((block + 1) * BLOCK) - apart / 2
        if block + 1 < threads // BLOCK:
            out.append(f'<path class="barrier" d="M{end:g} {thread_top - 14} V{near_top + 58}"/>')
    return near_top + 66, "".join(out)


DRAWINGS = {"neighbours": neighbours}
