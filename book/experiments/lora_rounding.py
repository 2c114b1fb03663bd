#!/usr/bin/env python3
"""How far an output of LoRA + Linear in half is from the truth, by what is rounded to half on the way: three tensors between four
launches, x a alone, nothing, or the merged weights.

Chapter 42 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and rounded to its type,
which gives exactly what an operation of that type gives.
"""

import math
import random
import statistics
import struct

from experiment import f32, print_table

RANK, OUTPUTS = 16, 40


def f16(value: float) -> float:
    return struct.unpack("e", struct.pack("e", value))[0]


def total(values, begin: float = 0.0) -> float:
    result = begin
    for value in values:
        result = f32(result + f32(value))
    return result


def dot(left, right, begin: float = 0.0) -> float:
    return total((a * b for a, b in zip(left, right)), begin)


def main() -> None:
    source = random.Random(42)
    rows = []
    for hidden in (64, 256, 1024):
        a = [[f16(source.gauss(0.0, 0.25)) for _ in range(hidden)] for _ in range(RANK)]  # column by column
        errors: list[list[float]] = [[], [], [], []]
        for _ in range(OUTPUTS):
            x = [f16(source.gauss(0.5, 1.5)) for _ in range(hidden)]
            w = [f16(source.gauss(0.0, 0.25)) for _ in range(hidden)]
            u = [f16(source.gauss(0.0, 0.25)) for _ in range(RANK)]
            exact = math.fsum([value * weight for value, weight in zip(x, w)] +
                              [value * a[r][h] * u[r] for h, value in enumerate(x) for r in range(RANK)])
            low = [dot(x, column) for column in a]
            stored = [f16(value) for value in low]
            merged = [f16(dot([a[r][h] for r in range(RANK)], u, w[h])) for h in range(hidden)]
            forms = (f16(f32(f16(dot(x, w)) + f16(dot(stored, u)))), f16(dot(stored, u, dot(x, w))), f16(dot(low, u, dot(x, w))), f16(dot(x, merged)))
            for error, form in zip(errors, forms):
                error.append(abs(form - exact))
        rows.append([f"{hidden}"] + [f"{statistics.fmean(error):.1e}" for error in errors])
    print_table(["$H$", "`--unfused`: x w, x a, (x a) u as half", "`--two`: x a as half", "`--fused`: none", "`--merged`: the weights as half"], rows,
                f"Mean absolute error of {OUTPUTS} outputs against double, rank {RANK}; everything else in float, and one rounding to half at the end.")


if __name__ == "__main__":
    main()
