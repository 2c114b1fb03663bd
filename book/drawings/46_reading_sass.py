"""Drawings of chapter 46: from a source line to machine code; one wide load beside four."""

from __future__ import annotations

from drawings import cell, text

WIDTH = 4  # floats of a float4
BYTES = 4  # of a float


def levels() -> tuple[int, str]:
    """Three forms of one line, and which program makes each of the one before."""
    top, row, left = 26, 74, 120
    forms = [("source", "y[i] = a * x[i] + b;", "input"), ("PTX", "fma.rn.f32 %f4, %f1, %f2, %f3;", "intermediate"),
             ("SASS", "FFMA R0, R4, R3, R5 ;", "output")]
    tools = ["nvcc: any number of registers, no machine yet", "ptxas: the registers and instructions of one GPU"]
    out = []
    for i, (name, words, kind) in enumerate(forms):
        y = top + i * row
        out.append(text(0, y + 20, name, kind="name"))
        out.append(cell(left, y, 340, 30, kind))
        out.append(text(left + 170, y + 20, words, "middle", "on"))
        if i < len(tools):
            out.append(f'<path class="sent" d="M{left + 30} {y + 30} V{y + row - 2}"/>')
            out.append(text(left + 50, y + 56, tools[i]))
    return top + len(forms) * row, "".join(out)


def wide() -> tuple[int, str]:
    """What a thread asks for: four requests, or one."""
    left, side, top, row = 190, 84, 40, 84
    out = []
    for line, (name, requests) in enumerate((("LDG.E, four times", WIDTH), ("LDG.E.128, once", 1))):
        y = top + line * row
        out.append(text(0, y + 20, name, kind="name"))
        each = WIDTH // requests
        for i in range(requests):
            out.append(cell(left + i * each * side + 2, y, each * side - 4, 30, "input" if requests > 1 else "output"))
            out.append(text(left + (i + 0.5) * each * side, y + 20, f"{each * BYTES} bytes", "middle", "on"))
        out.append(text(left, y + 52, f"{requests} {'instruction' if requests == 1 else 'instructions'} for {WIDTH * BYTES} bytes"))
    return top + 2 * row - 10, "".join(out)


DRAWINGS = {"levels": levels, "wide": wide}
