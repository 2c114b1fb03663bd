#!/usr/bin/env python3
"""tanh in floats by two formulas, near 0 and far from it: which keeps its digits, and which stays a number.

Chapter 36 shows the table; book/refresh.py stores it in data/tables/. Every operation is done in double and rounded to float;
what is beyond the largest float is inf, as on a GPU.
"""

import ctypes
import json
import math


def f32(value: float) -> float:
    return ctypes.c_float(value).value


def exp32(value: float) -> float:
    try:
        return f32(math.exp(value))  # ctypes makes inf of what no float holds
    except OverflowError:
        return math.inf


def quotient(v: float) -> float:
    """(e^2v - 1) / (e^2v + 1)."""
    e = exp32(f32(2 * v))
    up, down = f32(e - 1), f32(e + 1)
    return math.nan if math.isinf(up) else f32(up / down)


def reciprocal(v: float) -> float:
    """1 - 2 / (e^2|v| + 1), with the sign of v."""
    e = exp32(f32(2 * abs(v)))
    return math.copysign(f32(1 - f32(2 / f32(e + 1))), v)


def shown(got: float, exact: float) -> str:
    if math.isnan(got):
        return "not a number"
    return "exact" if got == f32(exact) else f"{abs(got - exact) / abs(exact):.0e} of it"


def main() -> None:
    table = {"head": ["x", "v, inside of tanh", "tanh(v)", "(e²ᵛ − 1) / (e²ᵛ + 1)", "1 − 2 / (e²ᵛ + 1)"], "rows": [],
             "note": "Error against tanh in double, in floats; the last form takes |v| and puts the sign back."}
    for x in (0.001, 0.1, 1.0, 4.0, 10.0, 11.0, -11.0):
        v = f32(0.7978845608 * (x + 0.044715 * x**3))
        exact = math.tanh(v)
        table["rows"].append([f"{x:g}".replace("-", "−"), f"{v:.4g}".replace("-", "−"), f"{exact:.6g}".replace("-", "−"), shown(quotient(v), exact),
                              shown(reciprocal(v), exact)])
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
