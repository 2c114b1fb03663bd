#!/usr/bin/env python3
"""What one token makes a GPU fetch, in the little model of Puzzle 40 and at the size of Pythia-2.8b: bytes by part, from the
sizes, and the least time that the memory of an H200 needs for them.

Chapter 40 shows the table; book/refresh.py stores it in data/tables/.
"""

import json

MODELS = {"the little model": dict(layers=2, hidden=64, vocabulary=256, position=40),
          "Pythia-2.8b": dict(layers=32, hidden=2560, vocabulary=50304, position=96)}
HALF, FLOAT = 2, 4
COPY_RATE = 4.27e12  # bytes a second that an H200 copies, measured
# Rows of `hidden` floats that the sixteen launches of a block read and write, and what three launches leave of that: see
# the kernels of unfused.cuh and program.cu, and of the solution. LN 1+1, QKV 1+3, bias 3+3, LN 1+1, up 1+4, bias 4+4, GELU 4+4, rotation 2/4 each way,
# append 2+2, attention 1+1, dense 1+1, bias 1+1, down 4+1, bias 1+1, two additions of 2+1.
UNFUSED_ROWS = (1 + 1) + (1 + 3) + (3 + 3) + (1 + 1) + (1 + 4) + (4 + 4) + (4 + 4) + (0.5 + 0.5) + (2 + 2) + (1 + 1) + (1 + 1) + (1 + 1) + (4 + 1) + (1 + 1) + 2 * (2 + 1)
FUSED_ROWS = (1 + 3 + 4) + (3 + 2 + 1) + (1 + 4 + 1 + 1)


def amount(value: float) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value:.0f} B"


def main() -> None:
    columns = []
    for sizes in MODELS.values():
        layers, hidden, vocabulary, position = sizes.values()
        matrices = layers * 12 * hidden * hidden * HALF
        output = vocabulary * hidden * HALF
        cache = layers * 2 * hidden * (position + 1) * FLOAT
        between = [layers * rows * hidden * FLOAT for rows in (UNFUSED_ROWS, FUSED_ROWS)]
        columns.append([matrices, output, cache, *between, matrices + output + cache])
    names = ["matrices of the blocks, $12\\,H^2$ halves each", "matrix of the output, $VH$ halves",
             "the cache, $2H$ floats a block and token", "rows between the kernels, sixteen launches a block",
             "rows between the kernels, three launches a block", "**matrices, output and cache**"]
    rows = [[name, *(amount(column[i]) for column in columns)] for i, name in enumerate(names)]
    rows.append(["at 4.27 TB/s", *(f"{column[-1] / COPY_RATE * 1e6:.{4 if column[-1] > 1e9 else 2}g} µs" for column in columns)])
    note = ("From the sizes: " + "; ".join(f"{name} has {s['layers']} blocks, H = {s['hidden']}, V = {s['vocabulary']}, and is at token {s['position']}"
                                           for name, s in MODELS.items())
            + ". Each value once. 4.27 TB/s is what an H200 copies (measured).")
    print(json.dumps({"head": ["A token fetches", *MODELS], "rows": rows, "note": note}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
