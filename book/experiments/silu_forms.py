#!/usr/bin/env python3
"""What two ways of writing SiLU give, in float and in half, where an exponential is infinite.

Chapter 43 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and rounded to its type,
which gives what an operation of that type gives, but for the last bit of exp.
"""

import math
import struct
from collections.abc import Callable

from experiment import print_table

INPUTS = (-1000, -90, -12, -1, 1, 12, 90, 1000)
FORMATS = {"float": "f", "half": "e"}


def rounded(value: float, kind: str) -> float:
    try:
        return struct.unpack(FORMATS[kind], struct.pack(FORMATS[kind], value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def exp(value: float, kind: str) -> float:
    try:
        return rounded(math.exp(value), kind)
    except OverflowError:
        return math.inf


def quotient(a: float, b: float, kind: str) -> float:
    return math.nan if math.isinf(a) and math.isinf(b) else rounded(a / b, kind)


def below(a: float, kind: str) -> float:
    """The solution's form."""
    return quotient(a, rounded(1.0 + exp(-a, kind), kind), kind)


def above_and_below(a: float, kind: str) -> float:
    """The mistake silu_exp_above, and in half silu_exp_above_in_half."""
    e = exp(a, kind)
    return quotient(rounded(a * e, kind), rounded(1.0 + e, kind), kind)


def exact(a: float) -> float:
    return a / (1.0 + math.exp(-a)) if a > -700 else a * math.exp(a)


def shown(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.3g}"


def main() -> None:
    forms: list[tuple[str, Callable[[float, str], float]]] = [("a / (1 + exp(-a))", below), ("a exp(a) / (1 + exp(a))", above_and_below)]
    head = ["a", "SiLU"] + [f"{name}, {kind}" for kind in FORMATS for name, _ in forms]
    rows = [[f"{a}", shown(exact(a))] + [shown(form(a, kind)) for kind in FORMATS for _, form in forms] for a in INPUTS]
    print_table(head, rows, "SiLU in double, and with every operation rounded to the type that stands in the column.")


if __name__ == "__main__":
    main()
