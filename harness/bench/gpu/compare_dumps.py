#!/usr/bin/env python3
"""Compares the arrays that the simulator and the GPU computed, element by element.

    compare_dumps.py [--half-factors] SIM_DIR GPU_DIR

Both folders were written by a child program run with --dump: one file a case and tensor, called
<case>.<tensor>.<type>, little-endian elements. Exits 1 when a file is missing on one side, when lengths differ,
when two integers differ, or when two floating-point elements are further apart than rounding explains: the two
sides may order sums and contract a multiply and an add into one rounding (nvcc does, g++ does not), so equal bits
are counted, not required.
"""
import array
import math
import pathlib
import struct
import sys

# A float sum of a thousand terms is off by some tens of ulps whichever way it is ordered; a wrong index or a
# missed term is off by more than a hundredth of the array's size. In a smaller type the last rounding is the
# larger one: two steps of it. So it is with --half-factors in a float to which values went that were rounded to half
# on the way, for a tensor core: one that falls to the other side is off by 2**-11, as one term of a sum.
ALLOWED_OF_HALF_FACTORS = 2.0**-12
ALLOWED = {"f32": 2.0**-24 * 512, "f16": 2.0**-10, "bf16": 2.0**-7}
INTEGERS = {"i32": "i", "u32": "I", "u8": "B", "i64": "q"}


def elements(code, data):
    values = array.array(code)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def load(path):
    kind, data = path.suffix[1:], path.read_bytes()
    if kind in INTEGERS:
        return elements(INTEGERS[kind], data)
    if kind == "f32":
        return elements("f", data)
    if kind == "f16":
        return array.array("f", struct.unpack(f"<{len(data) // 2}e", data))
    if kind == "bf16":  # the upper half of a float
        wide = elements("I", b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2)))
        return elements("f", struct.pack(f"<{len(wide)}I", *wide))
    raise SystemExit(f"{path}: no type is called '{kind}'")


def compare(ours, theirs):
    """Elements, equal bits, the largest difference over the largest value, its index, and unequal NaNs."""
    size = max((abs(v) for v in ours if math.isfinite(v)), default=0.0) or 1.0
    equal = nan_mismatch = at = 0
    worst = 0.0
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a == b:
            equal += 1
            continue
        if math.isnan(a) or math.isnan(b):
            both = math.isnan(a) and math.isnan(b)
            equal += both
            nan_mismatch += not both
            continue
        if abs(a - b) / size > worst:
            worst, at = abs(a - b) / size, i
    return len(ours), equal, worst, at, nan_mismatch


def main():
    half_factors = sys.argv[1] == "--half-factors"
    sim, gpu = (pathlib.Path(name) for name in sys.argv[-2:])
    kinds = [*ALLOWED, *INTEGERS]
    names = sorted({p.name for folder in (sim, gpu) for kind in kinds for p in folder.glob(f"*.{kind}")})
    if not names:
        print(f"nothing to compare in {sim} and {gpu}")
        return 1
    failed = count_all = bits = 0
    print(f"{'case.tensor':48} {'elements':>9} {'same bits':>9} {'difference / size':>18}")
    for name in names:
        sides = [load(folder / name) if (folder / name).exists() else None for folder in (sim, gpu)]
        if sides[0] is None or sides[1] is None:
            print(f"{name:48} only on {'the GPU' if sides[0] is None else 'the simulator'}")
            failed += 1
            continue
        if len(sides[0]) != len(sides[1]):
            print(f"{name:48} {len(sides[0])} elements against {len(sides[1])}")
            failed += 1
            continue
        count, equal, worst, at, nans = compare(*sides)
        kind = name.rsplit(".", 1)[1]
        allowed = ALLOWED_OF_HALF_FACTORS if kind == "f32" and half_factors else ALLOWED.get(kind, 0.0)
        bad = nans > 0 or not worst <= allowed
        failed += bad
        count_all += count
        bits += equal
        note = f"  DIFFERENT at {at}: {sides[0][at]!r} {sides[1][at]!r}, NaN on one side {nans} times" if bad else ""
        print(f"{name:48} {count:9} {equal / max(count, 1):9.1%} {worst:18.2e}{note}")
    print(f"{len(names)} arrays, {count_all} elements, {bits / max(count_all, 1):.2%} equal to the bit, {failed} arrays differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
