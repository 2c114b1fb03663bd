"""Drawing of chapter 01: how twelve threads in blocks of four find ten elements."""

from __future__ import annotations

from drawings import cell, text

BLOCK, SIZE = 4, 10


def index() -> tuple[int, str]:
    blocks = -(-SIZE // BLOCK)
    left, side, apart, threads_top, elements_top = 150, 46, 36, 44, 160
    out = [text(0, threads_top + 20, "threadIdx.x", kind="name"), text(0, threads_top + 60, "i", kind="name"),
           text(0, elements_top + 20, "out", kind="name")]
    for block in range(blocks):
        begin = left + block * (BLOCK * side + apart)
        out.append(text(begin + BLOCK * side / 2, threads_top - 14, f"blockIdx.x = {block}", "middle", "name"))
        for thread in range(BLOCK):
            i, x = block * BLOCK + thread, begin + thread * side
            middle = x + side / 2
            has_element = i < SIZE
            out.append(cell(x, threads_top, side, 30, "input" if has_element else "cell"))
            out.append(text(middle, threads_top + 20, str(thread), "middle", "on" if has_element else ""))
            out.append(text(middle, threads_top + 60, f"{block}·{BLOCK}+{thread}", "middle", "name small"))
            out.append(text(middle, threads_top + 78, f"= {i}", "middle", "name"))
            if not has_element:
                continue
            out.append(f'<path class="own" d="M{middle:g} {threads_top + 86} V{elements_top - 4} m-4 -6 l4 6 l4 -6"/>')
            out.append(cell(x, elements_top, side, 30, "output"))
            out.append(text(middle, elements_top + 20, f"[{i}]", "middle", "on small"))
    idle = left + (blocks - 1) * (BLOCK * side + apart) + (SIZE % BLOCK) * side
    out.append(text(idle + 8, elements_top + 20, "no element"))
    return elements_top + 40, "".join(out)


DRAWINGS = {"index": index}
