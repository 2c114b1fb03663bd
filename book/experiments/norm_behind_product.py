#!/usr/bin/env python3
"""How wrong one output of LayerNorm + Linear is in float when the norm is applied behind the product, by mean / sigma:
without a shift, with the row's first element as shift, and beside it the row normalised first, in two passes.

Chapter 22 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and
rounded to float, which gives exactly what a float operation gives.
"""

import ctypes
import json
import math
import random
import statistics

HIDDEN, ROWS, EPSILON = 768, 25, 1e-5


def f32(value: float) -> float:
    return ctypes.c_float(value).value


def total(values) -> float:
    result = 0.0
    for value in values:
        result = f32(result + value)
    return result


def inv_std(variance: float) -> float:
    inside = f32(variance + f32(EPSILON))
    return f32(1.0 / f32(math.sqrt(inside))) if inside > 0 else math.nan


def behind(row: list[float], weight: list[float], shift: float) -> float:
    """inv_std * (sum of (x - shift) w - mean * sum of w): what fused_tiled_kernel does; weight has gamma in it."""
    shifted = [f32(x - shift) for x in row]
    mean = f32(total(shifted) / HIDDEN)
    variance = f32(f32(total(f32(x * x) for x in shifted) / HIDDEN) - f32(mean * mean))
    product = total(f32(x * w) for x, w in zip(shifted, weight))
    return f32(inv_std(variance) * f32(product - f32(mean * total(weight))))


def before(row: list[float], weight: list[float]) -> float:
    """Normalised first, in two passes: what fused_block_kernel does."""
    mean = f32(total(row) / HIDDEN)
    scale = inv_std(f32(total(f32(f32(x - mean) * f32(x - mean)) for x in row) / HIDDEN))
    return total(f32(f32(f32(x - mean) * scale) * w) for x, w in zip(row, weight))


def exact(row: list[float], weight: list[float]) -> float:
    mean = math.fsum(row) / HIDDEN
    scale = 1.0 / math.sqrt(math.fsum((x - mean) ** 2 for x in row) / HIDDEN + EPSILON)
    return math.fsum((x - mean) * scale * w for x, w in zip(row, weight))


def main() -> None:
    source = random.Random(22)
    weight = [f32(source.gauss(0.0, 0.25)) for _ in range(HIDDEN)]
    table = {
        "head": ["Mean / sigma", "Behind the product, no shift", "Behind the product, shifted", "Normalised first"],
        "rows": [],
        "note": f"Median absolute error of one output over {ROWS} rows of {HIDDEN} floats, sigma 1, weights of deviation 0.25, against "
        "double; outputs have a deviation of about 7. In brackets, rows whose variance came out below zero and gave no number.",
    }
    for ratio in (0, 1, 8, 64, 512, 4096):
        rows = [[f32(source.gauss(ratio, 1.0)) for _ in range(HIDDEN)] for _ in range(ROWS)]
        forms = [lambda row: behind(row, weight, 0.0), lambda row: behind(row, weight, row[0]), lambda row: before(row, weight)]
        table["rows"].append([f"{ratio}"] + [shown([form(row) - exact(row, weight) for row in rows]) for form in forms])
    print(json.dumps(table, indent=1, ensure_ascii=False))


def shown(errors: list[float]) -> str:
    numbers = [abs(error) for error in errors if not math.isnan(error)]
    lost = len(errors) - len(numbers)
    return (f"{statistics.median(numbers):.0e}" if numbers else "–") + (f" ({lost})" if lost else "")


if __name__ == "__main__":
    main()
