#!/usr/bin/env python3
"""How far attention with QK-Norm in half is from the truth, by how large its scores are: with normalised rows, scores and weights stored
as half, and with all of it in float and one rounding at the end.

Chapter 44 shows the table; book/refresh.py stores it in data/tables/. What is stored is rounded to half, everything else is done in
double: what float would round is far below what half does.
"""

import math
import random
import statistics
import struct

from experiment import print_table

QUERIES, KEYS, FEATURES, EPSILON = 24, 256, 64, 1e-5


def f16(value: float) -> float:
    return struct.unpack("e", struct.pack("e", value))[0]


def exact(value: float) -> float:
    return value


def normalized(row: list[float], gains: list[float], stored) -> list[float]:
    factor = 1.0 / math.sqrt(math.fsum(value * value for value in row) / len(row) + EPSILON)
    return [stored(value * gain * factor) for value, gain in zip(row, gains)]


def attention(query: list[float], keys: list[list[float]], values: list[float], stored) -> tuple[float, float]:
    """One column of the result, and the largest score."""
    scores = [stored(sum(a * b for a, b in zip(query, key)) / math.sqrt(FEATURES)) for key in keys]
    largest = max(scores)
    weights = [math.exp(score - largest) for score in scores]
    total = math.fsum(weights)
    return f16(math.fsum(stored(weight / total) * value for weight, value in zip(weights, values))), largest


def main() -> None:
    source = random.Random(44)
    keys = [[f16(source.gauss(0.1, 0.6)) for _ in range(FEATURES)] for _ in range(KEYS)]
    queries = [[f16(source.gauss(0.3, 2.0)) for _ in range(FEATURES)] for _ in range(QUERIES)]
    values = [f16(source.uniform(-1.0, 3.0)) for _ in range(KEYS)]
    rows = []
    for size in (1.0, 2.0, 3.0):
        gains = [[f16(size * source.gauss(1.0, 0.2)) for _ in range(FEATURES)] for _ in range(2)]
        errors: dict = {f16: [], exact: []}
        scores = []
        for stored, found in errors.items():
            normal_keys = [normalized(key, gains[1], stored) for key in keys]
            for query in queries:
                normal_query, true_query = (normalized(query, gains[0], rounding) for rounding in (stored, exact))
                result, largest = attention(normal_query, normal_keys, values, stored)
                scores.append(largest)
                true_keys = normal_keys if stored is exact else [normalized(key, gains[1], exact) for key in keys]
                true_scores = [sum(a * b for a, b in zip(true_query, key)) / math.sqrt(FEATURES) for key in true_keys]
                top = max(true_scores)
                weights = [math.exp(score - top) for score in true_scores]
                found.append(abs(result - math.fsum(w * v for w, v in zip(weights, values)) / math.fsum(weights)))
        rows.append([f"{size:g}", f"{max(scores):.1f}"] + [f"{statistics.median(found):.1e}" for found in errors.values()]
                    + [f"{max(found):.1e}" for found in errors.values()])
    print_table(["Gains about", "Largest score", "Stored as half: median error", "In float: median error", "Stored: worst", "In float: worst"], rows,
                f"{QUERIES} queries, {KEYS} keys, {FEATURES} features, one column of values between −1 and 3; against double.")


if __name__ == "__main__":
    main()
