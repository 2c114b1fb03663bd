#!/usr/bin/env python3
"""How far an output of RMSNorm + Linear in half is from the truth, by where it is rounded: with the normalised row stored as half,
with both sums in float and one rounding at the end, and with the sum itself in half.

Chapter 41 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and rounded to its type,
which gives exactly what an operation of that type gives.
"""

import math
import random
import statistics
import struct

from experiment import f32, print_table

OUTPUTS, EPSILON = 40, 1e-5


def f16(value: float) -> float:
    return struct.unpack("e", struct.pack("e", value))[0]


def total(values) -> float:
    result = 0.0
    for value in values:
        result = f32(result + f32(value))
    return result


def exact(x: list[float], g: list[float], w: list[float]) -> float:
    rms = math.sqrt(math.fsum(value * value for value in x) / len(x) + EPSILON)
    return math.fsum(value * gain * weight for value, gain, weight in zip(x, g, w)) / rms


def scale(x: list[float]) -> float:
    return f32(1.0 / math.sqrt(f32(total(value * value for value in x) / len(x) + EPSILON)))


def stored(x: list[float], g: list[float], w: list[float]) -> float:
    """--unfused."""
    root = scale(x)
    normalized = [f16(f32(f32(value * gain) * root)) for value, gain in zip(x, g)]
    return f16(total(value * weight for value, weight in zip(normalized, w)))


def behind(x: list[float], g: list[float], w: list[float]) -> float:
    """--fused."""
    return f16(f32(total(f32(value * gain) * weight for value, gain, weight in zip(x, g, w)) * scale(x)))


def summed_in_half(x: list[float], g: list[float], w: list[float]) -> float:
    """The mistake fused_sum_in_half."""
    products = 0.0
    for value, gain, weight in zip(x, g, w):
        products = f16(f32(products + f32(f32(value * gain) * weight)))
    return f16(f32(products * scale(x)))


def main() -> None:
    source = random.Random(41)
    rows = []
    for hidden in (64, 512, 4096):
        g = [f16(source.gauss(1.0, 0.5)) for _ in range(hidden)]
        errors: list[list[float]] = [[], [], []]
        for _ in range(OUTPUTS):
            x = [f16(source.gauss(0.5, 1.5)) for _ in range(hidden)]
            w = [f16(source.gauss(0.0, 0.25)) for _ in range(hidden)]
            truth = exact(x, g, w)
            for error, form in zip(errors, (stored, behind, summed_in_half)):
                error.append(abs(form(x, g, w) - truth))
        rows.append([f"{hidden}"] + [f"{statistics.median(error):.1e}" for error in errors])
    print_table(["$H$", "Normalised row stored as half", "Both sums in float, one rounding", "The sum in half"], rows,
                f"Median absolute error of {OUTPUTS} outputs against double; weights of deviation 0.25, so that outputs have one of about 0.28 √H.")


if __name__ == "__main__":
    main()
