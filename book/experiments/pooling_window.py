#!/usr/bin/env python3
"""What a longer window costs from global memory and from a shared tile, by the simulator's model.

Chapter 11 shows the table; book/refresh.py stores it in data/tables/. The two kernels are those of Puzzle 11 with a
window of any length. Needs a built workbook: the program that WORKBOOK names, else bin/workbook.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZE = 1 << 22
REACHES = (1, 2, 4, 8, 16)  # elements to each side: windows of 3, 5, 9, 17, 33

KERNELS = """
#include <cuda_runtime.h>
constexpr int kBlockSize = 256;

template <int reach>
__global__ void window_global(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0.0f;
  int count = 0;
  for (int j = max(i - reach, 0); j <= min(i + reach, size - 1); ++j) {
    sum += a[j];
    ++count;
  }
  out[i] = sum / count;
}

template <int reach>
__global__ void window_shared(float* out, const float* a, int size) {
  __shared__ float tile[kBlockSize + 2 * reach];
  const int first = blockIdx.x * kBlockSize - reach;  // the element of tile[0]
  for (int t = threadIdx.x; t < kBlockSize + 2 * reach; t += kBlockSize)
    if (first + t >= 0 && first + t < size) tile[t] = a[first + t];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0.0f;
  int count = 0;
  for (int j = max(i - reach, 0); j <= min(i + reach, size - 1); ++j) {
    sum += tile[j - first];
    ++count;
  }
  out[i] = sum / count;
}
"""


def program() -> str:
    launches = "\n".join(f"  window_{kind}<{reach}><<<size / kBlockSize, kBlockSize>>>(out, a, size);"
                         for reach in REACHES for kind in ("global", "shared"))
    return (f"{KERNELS}\nint main() {{\n  const int size = {SIZE};\n  float *a, *out;\n"
            f"  cudaMalloc(&a, size * sizeof(float));\n  cudaMalloc(&out, size * sizeof(float));\n"
            f"  cudaMemset(a, 0, size * sizeof(float));\n{launches}\n"
            f"  cudaDeviceSynchronize();\n  cudaFree(a);\n  cudaFree(out);\n}}\n")


def launches(workbook: str) -> list[dict]:
    with tempfile.TemporaryDirectory() as temporary:
        file, report = Path(temporary) / "window.cu", Path(temporary) / "report.json"
        file.write_text(program(), encoding="utf-8")
        subprocess.run([workbook, "sim", str(file), "--gpu", "h200", "--report", str(report)], check=True, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
        return json.loads(report.read_text(encoding="utf-8"))["totals"]["kernels"]


def main() -> None:
    found = launches(os.environ.get("WORKBOOK", str(ROOT / "bin/workbook")))
    table = {"head": ["Window", "From global memory", "From a shared tile", "Shared against global"], "rows": []}
    for row, reach in enumerate(REACHES):
        times = [kernel["modelled_us"] for kernel in found[2 * row:2 * row + 2]]
        table["rows"].append([f"{2 * reach + 1}", *(f"{time:.1f} µs" for time in times), f"{times[0] / times[1]:.2f}×"])
    table["note"] = (f"The two kernels with a window of any length, N {SIZE}, blocks of 256. Modelled: the simulator's clock for the H200. "
                     "Last column: the time from global memory over that from the tile, so above 1 the tile wins.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
