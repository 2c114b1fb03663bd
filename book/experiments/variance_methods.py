#!/usr/bin/env python3
"""How much of a row's 1 / sqrt(variance + eps) survives in float, by mean / sigma: sums of squares, the same
around the row's first element, Welford's method and two passes, added up as Puzzle 39 does: 256 threads, then a tree.

Chapter 39 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and rounded to
float, which gives what a float operation gives.
"""

import json
import math
import random
import statistics
import struct

HIDDEN, THREADS, ROWS, EPSILON = 2560, 256, 5, 1e-5
OUTLIER = "0, but x₀ is 1000"  # as far from the mean as an element can be: sqrt(HIDDEN) deviations
FLOAT = struct.Struct("f")


def f32(value: float) -> float:
    return FLOAT.unpack(FLOAT.pack(value))[0]


def tree(values: list, merge) -> object:
    while len(values) > 1:
        values = [merge(values[i], values[i + 1]) for i in range(0, len(values), 2)]
    return values[0]


def total(row: list[float]) -> float:
    def add(a: float, b: float) -> float:
        return f32(a + b)

    sums = []
    for thread in range(THREADS):
        own = 0.0
        for value in row[thread::THREADS]:
            own = add(own, value)
        sums.append(own)
    return tree(sums, add)


def sums_of_squares(row: list[float]) -> float:
    mean = f32(total(row) / HIDDEN)
    return f32(f32(total([f32(x * x) for x in row]) / HIDDEN) - f32(mean * mean))


def around_first(row: list[float]) -> float:
    return sums_of_squares([f32(x - row[0]) for x in row])


def two_passes(row: list[float]) -> float:
    mean = f32(total(row) / HIDDEN)
    differences = [f32(x - mean) for x in row]
    return f32(total([f32(d * d) for d in differences]) / HIDDEN)


def welford(row: list[float]) -> float:
    def merge(a, b):
        count = f32(a[0] + b[0])
        share = f32(b[0] / count)
        delta = f32(b[1] - a[1])
        moved = f32(f32(f32(delta * delta) * a[0]) * share)
        return count, f32(a[1] + f32(delta * share)), f32(f32(a[2] + b[2]) + moved)

    states = []
    for thread in range(THREADS):
        count = mean = m2 = 0.0
        for value in row[thread::THREADS]:
            delta = f32(value - mean)
            count += 1.0
            mean = f32(mean + f32(delta / count))
            m2 = f32(m2 + f32(delta * f32(value - mean)))
        states.append((count, mean, m2))
    return f32(tree(states, merge)[2] / HIDDEN)


def exact(row: list[float]) -> float:
    mean = math.fsum(row) / HIDDEN
    return math.fsum((x - mean) ** 2 for x in row) / HIDDEN


def shown(errors: list[float]) -> str:
    return f"{statistics.median(errors):.0e}" if errors else "–"


def main() -> None:
    source = random.Random(39)
    methods = (sums_of_squares, around_first, welford, two_passes)
    table = {"head": ["Mean / sigma", "Sums of squares", "... rows without a number", "... around x₀", "Welford's method", "Two passes"], "rows": []}
    for ratio in (0, 10, 100, 1000, 10000, OUTLIER):
        errors = {method: [] for method in methods}
        lost = 0
        for _ in range(ROWS):
            row = [f32(source.gauss(0 if ratio == OUTLIER else ratio, 1.0)) for _ in range(HIDDEN)]
            row[0] = 1000.0 if ratio == OUTLIER else row[0]
            right = 1.0 / math.sqrt(exact(row) + EPSILON)
            for method in methods:
                inside = method(row) + EPSILON
                if inside > 0.0:
                    errors[method].append(abs(1.0 / math.sqrt(inside) / right - 1.0))
                else:
                    lost += 1
        first, *others = (shown(errors[method]) for method in methods)
        table["rows"].append([str(ratio), first, f"{lost} of {ROWS}", *others])
    table["note"] = (f"Relative error of 1/σ against double, the median of {ROWS} rows of {HIDDEN} floats with sigma 1; {THREADS} threads and a tree. "
                     "A row without a number had a variance below zero, whose root is NaN.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
