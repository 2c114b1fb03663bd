#!/usr/bin/env python3
"""What the compiler makes of GELU with tanh and erf, in float and in double, and how long the units would need for that alone.

Chapter 36 shows the table; book/refresh.py stores it in data/tables/. Needs nvcc (NVCC, else the one on the path); counts the
instructions of its PTX. Results a clock and SM are those of NVIDIA's table for compute capabilities 9.0 and 8.9 (CUDA C++
Programming Guide, arithmetic instructions).
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RATES = {"h200": {"float": 128, "double": 64, "special": 16}, "rtx4090": {"float": 128, "double": 2, "special": 16}}
UNITS = ("float", "special", "double")
WAYS = [
    ("`tanh.approx`, the unit's own", "0.5f * x * (1.0f + unit_tanh(inner(x)))"),
    ("`tanhf`", "0.5f * x * (1.0f + tanhf(inner(x)))"),
    ("`erff`", "0.5f * x * (1.0f + erff(x * 0.7071067812f))"),
    ("`tanhf`, `0.5` and `1.0` without an f", "0.5 * x * (1.0 + tanhf(inner(x)))"),
    ("`tanh`, no constant with an f", "0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))"),
]
SOURCE = """
__device__ inline float unit_tanh(float v) { float t; asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(v)); return t; }
__device__ inline float inner(float x) { return 0.7978845608f * (x + 0.044715f * x * x * x); }
"""
SPECIAL = re.compile(r"^(tanh|ex2|lg2|rcp|rsqrt|sqrt|sin|cos)\.approx")
NOT_COUNTED = re.compile(r"^(mov|ld|st|cvta|bra|ret|add\.s64|mul\.wide|shl\.b64|cvt\.u64)")


def counted(ptx: str) -> dict[str, int]:
    """Instructions by unit. Both sides of a branch count; moves, addresses, loads and stores do not."""
    count = dict.fromkeys(UNITS, 0)
    for line in ptx.splitlines():
        found = re.match(r"\s+(?:@!?%p\d+\s+)?([a-z][a-z0-9_.:]*)\s", line)
        if not found or NOT_COUNTED.match(found[1]):
            continue
        unit = "special" if SPECIAL.match(found[1]) else "double" if ".f64" in found[1] else "float"
        count[unit] += 1
    return count


def gpu(key: str) -> dict[str, str]:
    text = (ROOT / "harness" / "clock" / "gpus.cpp").read_text(encoding="utf-8")
    return dict(re.findall(r"\.(\w+) = \"?([^,\"]+)", text[text.index(f'.key = "{key}"'):].split("}", 1)[0]))


def main() -> None:
    nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    kernels = "".join(f"__global__ void way_{i}(float* y, const float* p) {{ const float x = p[threadIdx.x]; y[threadIdx.x] = {code}; }}\n"
                      for i, (_, code) in enumerate(WAYS))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "ways.cu"
        source.write_text(SOURCE + kernels, encoding="utf-8")
        subprocess.run([nvcc, "-std=c++20", "-arch=sm_90", "-ptx", "-o", f"{folder}/ways.ptx", str(source)], check=True)
        ptx = Path(f"{folder}/ways.ptx").read_text(encoding="utf-8")
    size = json.loads((ROOT / "puzzles/36_gelu/declared.json").read_text(encoding="utf-8"))["tasks"][0]["bench"]["N"]
    devices = {key: gpu(key) for key in RATES}
    table = {"head": ["GELU with", "Float", "Special function unit", "Double",
                      *(f"Arithmetic on an {device['name']}, at least" for device in devices.values())], "rows": []}
    bodies = re.split(r"\.entry\s+\S*way_\d+\S*", ptx)[1:]
    assert len(bodies) == len(WAYS)
    for (words, _), body in zip(WAYS, bodies):
        count = counted(body)
        least = []
        for key, device in devices.items():
            clocks = float(device["sms"]) * float(device["clock_ghz"]) * 1e3  # of all SMs, a microsecond
            least.append(max(count[unit] / RATES[key][unit] for unit in UNITS) * size / clocks)
        table["rows"].append([words, *(f"{count[unit]}" for unit in UNITS), *(f"{us:.0f} µs" if us > 20 else f"{us:.2g} µs" for us in least)])
    moved = " and ".join(f"{8 * size / (float(device['dram_gbps']) * 1e3):.0f} µs on an {device['name']}" for device in devices.values())
    table["note"] = ("Instructions an element in the PTX that nvcc writes, both sides of each branch. Least time at the real shape, from the results that "
                     f"a unit gives each clock; the bytes take {moved}, by the datasheets.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
