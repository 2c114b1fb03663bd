"""Drawings of chapter 47: exponents and powers in two small fields; a right and a wrong score on a progression and on random keys; which
nodes a loop computes."""

from __future__ import annotations

from drawings import cell, text

Q, P, BASE = 5, 11, 4  # P = 2 Q + 1, and BASE^Q is 1 modulo P
QUERY = (3, 5)  # two elements of one query
PROGRESSION, RANDOM = ((0, 1), (2, 3)), ((7, 1), (2, 9))  # two keys of two elements each


def fields() -> tuple[int, str]:
    """Exponents modulo 5 above, powers of 4 modulo 11 below, and exp(x + y) = exp(x) exp(y) in numbers."""
    left, side, gap, out = 270, 56, 18, []
    assert P == 2 * Q + 1 and pow(BASE, Q, P) == 1
    out.append(text(0, 52, f"exponent x, modulo {Q}"))
    out.append(text(0, 142, f"{BASE} to the power of x, modulo {P}"))
    for x in range(Q):
        at = left + x * (side + gap)
        out.append(cell(at, 26, side, 40, "input"))
        out.append(text(at + side / 2, 52, str(x), "middle", "on"))
        out.append(f'<path class="own" d="M{at + side / 2:g} 66 V112 m-4 -6 l4 6 l4 -6"/>')
        out.append(cell(at, 114, side, 40, "output"))
        out.append(text(at + side / 2, 140, str(pow(BASE, x, P)), "middle", "on"))
    end = left + Q * (side + gap) - gap
    out.append(f'<path class="own" d="M{end:g} 46 h26 v-30 H{left - 20} v30 h18 m-6 -4 l6 4 l-6 4"/>')
    out.append(text(end + 36, 36, "and round", "start", "small"))
    x, y = 3, 4
    total = (x + y) % Q
    assert pow(BASE, total, P) == pow(BASE, x, P) * pow(BASE, y, P) % P
    out.append(text(0, 190, f"exp({x}) exp({y}) = {pow(BASE, x, P)} · {pow(BASE, y, P)} = {pow(BASE, x, P) * pow(BASE, y, P)}, "
                            f"which is {pow(BASE, total, P)} modulo {P}"))
    out.append(text(0, 214, f"exp({x} + {y}): {x + y} is {total} modulo {Q}, and {BASE} to the power of {total} is {BASE ** total}, "
                            f"which is {pow(BASE, total, P)} modulo {P}"))
    return 226, "".join(out)


def scores() -> tuple[int, str]:
    """q · k[t] beside sum(q) · k[t][0], for two keys, twice."""
    out, side = [], 40

    def cells(x: float, y: float, values: tuple[int, ...], kind: str) -> None:
        for i, value in enumerate(values):
            out.append(cell(x + i * (side + 4), y, side, 32, kind))
            out.append(text(x + i * (side + 4) + side / 2, y + 21, str(value), "middle", "" if kind == "cell" else "on"))

    out.append(text(0, 21, "q"))
    cells(24, 0, QUERY, "input")
    for number, (name, keys) in enumerate((("keys 0, 1, 2, 3", PROGRESSION), ("random keys", RANDOM))):
        x = number * 440
        right = [sum(a * b for a, b in zip(QUERY, key)) for key in keys]
        wrong = [sum(QUERY) * key[0] for key in keys]
        assert (right[1] - right[0] == wrong[1] - wrong[0]) == (number == 0)
        out.append(text(x, 66, name, "start", "name"))
        out.append(text(x + 150, 66, "right: sum(q k)", "start", "small"))
        out.append(text(x + 276, 66, "wrong: sum(q) k[t,0]", "start", "small"))
        for t, key in enumerate(keys):
            y = 78 + t * 44
            out.append(text(x, y + 21, f"k[{t}]"))
            cells(x + 36, y, key, "input")
            cells(x + 150, y, (right[t],), "output")
            cells(x + 290, y, (wrong[t],), "intermediate")
        out.append(text(x, 186, "second − first", "start", "small"))
        out.append(text(x + 170, 187, str(right[1] - right[0]).replace("-", "−"), "middle"))
        out.append(text(x + 310, 187, str(wrong[1] - wrong[0]).replace("-", "−"), "middle"))
        out.append(text(x, 212, "the same softmax" if number == 0 else "another softmax"))
    return 224, "".join(out)


def loop() -> tuple[int, str]:
    """The nodes of RMSNorm + Linear in the loop over h and behind it, as written and with the division last."""
    out = []

    def node(x: float, y: float, words: str, kind: str) -> None:
        out.append(cell(x, y, 108, 34, kind))
        out.append(text(x + 54, y + 22, words, "middle", "" if kind == "cell" else "on"))

    def arrow(x: float, y: float, dx: float, dy: float, kind: str = "own") -> None:
        head = "m-4 -6 l4 6 l4 -6" if dx == 0 else "m-6 -4 l6 4 l-6 4" if dy == 0 else "m-9 2 l9 -2 l-2 9"
        out.append(f'<path class="{kind}" d="M{x:g} {y:g} l{dx:g} {dy:g} {head}"/>')

    for number, title in enumerate(("as written", "the division last")):
        x = number * 440
        out.append(text(x, 16, title, "start", "name"))
        out.append(cell(x, 28, 400, 104, "faint"))
        out.append(text(x + 8, 46, "in the loop over h", "start", "small"))
        out.append(text(x + 78, 156, "behind it", "start", "small"))
        node(x + 14, 58, "x · x, added", "input")
        if number == 0:
            node(x + 146, 58, "x g / rms", "output")
            node(x + 278, 58, "· w, added", "output")
            node(x + 14, 168, "rms", "intermediate")
            arrow(x + 68, 92, 0, 76)
            arrow(x + 122, 178, 78, -86, "barrier")
            arrow(x + 254, 75, 24, 0)
            out.append(text(x + 172, 176, "needed in every turn, there only", "start", "small"))
            out.append(text(x + 172, 194, "after the last: does not fit", "start", "small"))
        else:
            node(x + 146, 58, "x g", "input")
            node(x + 278, 58, "· w, added", "input")
            node(x + 14, 168, "rms", "intermediate")
            node(x + 278, 168, "sum / rms", "output")
            arrow(x + 68, 92, 0, 76)
            arrow(x + 332, 92, 0, 76)
            arrow(x + 254, 75, 24, 0)
            arrow(x + 122, 185, 156, 0)
    return 214, "".join(out)


DRAWINGS = {"fields": fields, "scores": scores, "loop": loop}
