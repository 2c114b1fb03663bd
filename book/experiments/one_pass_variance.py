#!/usr/bin/env python3
"""Chapter 22: how much of a row's 1 / sqrt(variance + eps) survives in float: one pass against two, by mean / sigma."""

import math
import random
import statistics

from experiment import f32, print_table

HIDDEN, ROWS, EPSILON = 768, 25, 1e-5


def total(values) -> float:
    result = 0.0
    for value in values:
        result = f32(result + value)
    return result


def one_pass(row: list[float]) -> float:
    mean = f32(total(row) / HIDDEN)
    variance = f32(f32(total(f32(x * x) for x in row) / HIDDEN) - f32(mean * mean))
    return inv_std(variance)


def two_pass(row: list[float]) -> float:
    mean = f32(total(row) / HIDDEN)
    return inv_std(f32(total(f32(f32(x - mean) * f32(x - mean)) for x in row) / HIDDEN))


def inv_std(variance: float) -> float:
    inside = f32(variance + f32(EPSILON))
    return f32(1.0 / f32(math.sqrt(inside))) if inside > 0 else math.nan


def exact(row: list[float]) -> float:
    mean = math.fsum(row) / HIDDEN
    return 1.0 / math.sqrt(math.fsum((x - mean) ** 2 for x in row) / HIDDEN + EPSILON)


def main() -> None:
    source = random.Random(22)
    table = []
    for ratio in (0, 1, 8, 64, 512, 4096):
        rows = [[f32(source.gauss(ratio, 1.0)) for _ in range(HIDDEN)] for _ in range(ROWS)]
        errors = {form: [abs(form(row) / exact(row) - 1) for row in rows] for form in (one_pass, two_pass)}
        numbers = [error for error in errors[one_pass] if not math.isnan(error)]
        lost = ROWS - len(numbers)
        table.append([f"{ratio}", shown(numbers), f"{lost} of {ROWS}", shown(errors[two_pass])])
    print_table(["Mean / sigma", "One pass: error of 1/σ", "Rows without a number", "Two passes: error of 1/σ"], table,
                f"{ROWS} rows of {HIDDEN} floats for each ratio, sigma 1; median relative error against double; sums in "
                "order, as one thread adds them. A row without a number had a variance below zero, whose root is NaN.")


def shown(errors: list[float]) -> str:
    return f"{statistics.median(errors):.0e}" if errors else "–"


if __name__ == "__main__":
    main()
