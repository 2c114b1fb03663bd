#!/usr/bin/env python3
"""What is left of a row's softmax in float, by the textbook's formula and with the maximum subtracted, by where the row lies.

Chapter 18 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and rounded to
float, which gives what a float operation gives, but for the last bit of exp.
"""

import ctypes
import json
import math
import random

COLUMNS, ROWS = 64, 25


def f32(value: float) -> float:
    return ctypes.c_float(value).value


def exp(value: float) -> float:
    try:
        return f32(math.exp(value))
    except OverflowError:
        return math.inf


def quotient(a: float, b: float) -> float:
    return math.nan if b == 0.0 or (math.isinf(a) and math.isinf(b)) else f32(a / b)


def softmax(row: list[float], shift: float) -> list[float]:
    exponentials = [exp(f32(x - shift)) for x in row]
    total = 0.0
    for value in exponentials:
        total = f32(total + value)
    return [quotient(value, total) for value in exponentials]


def exact(row: list[float]) -> list[float]:
    exponentials = [math.exp(x - max(row)) for x in row]
    total = math.fsum(exponentials)
    return [value / total for value in exponentials]


def outcome(rows: list[list[float]], shift_of) -> str:
    """The largest relative error, or how many rows have no numbers."""
    worst, lost = 0.0, 0
    for row in rows:
        got = softmax(row, shift_of(row))
        if any(math.isnan(y) for y in got):
            lost += 1
        else:
            worst = max(worst, *(abs(y / right - 1) for y, right in zip(got, exact(row))))
    return f"{lost} of {len(rows)} rows are NaN" if lost else f"{worst:.1e}"


def main() -> None:
    source = random.Random(18)
    table = {"head": ["Elements lie near", "exp(x) / sum", "exp(x - max) / sum"], "rows": [],
             "note": f"The largest relative error against double over {ROWS} rows of {COLUMNS} floats, deviation 1, or what is not a "
             "number. Each operation rounded to float; sums in order."}
    for middle in (0, 50, 85, 90, 1000, -85, -100, -1000):
        rows = [[f32(source.gauss(middle, 1.0)) for _ in range(COLUMNS)] for _ in range(ROWS)]
        table["rows"].append([str(middle), outcome(rows, lambda row: 0.0), outcome(rows, max)])
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
