#!/usr/bin/env python3
"""Chapter 12: four ways to add up the sums of a block, in the kernel of Puzzle 12, by the simulator's counters and model. The kernel is the solution's, its
region `tree` replaced."""

import tempfile
from pathlib import Path

from experiment import ROOT, changed, print_table, simulated, with_region

SIZE = 1 << 20  # a block for every 256 products, so that the trees are most of what is done
TREES = {
    "Halves: `sums[t] += sums[t + half]`": None,
    "Pairs: `sums[2*s*t] += sums[2*s*t + s]`": """
  for (int s = 1; s < kBlockSize; s *= 2) {
    __syncthreads();
    if (2 * s * t < kBlockSize) sums[2 * s * t] += sums[2 * s * t + s];
  }""",
    "Pairs, by every `2*s`-th thread": """
  for (int s = 1; s < kBlockSize; s *= 2) {
    __syncthreads();
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
  }""",
    "No tree: thread 0 adds up all 256": """
  __syncthreads();
  if (t == 0)
    for (int i = 1; i < kBlockSize; ++i) sums[0] += sums[i];""",
}
HOST = """
int main() {
  const int size = %d;
  float *a, *b, *out;
  cudaMalloc(&a, size * sizeof(float));
  cudaMalloc(&b, size * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(a, 0, size * sizeof(float));
  cudaMemset(b, 0, size * sizeof(float));
  cudaMemset(out, 0, sizeof(float));
  dot_atomic_kernel<<<size / kBlockSize, kBlockSize>>>(out, a, b, size);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
}
"""


def launch(tree: str | None) -> dict:
    """The one launch of the kernel with this tree, as the simulator counted it."""
    source = (ROOT / "solutions" / "12_dot_product" / "kernels.cu").read_text(encoding="utf-8")
    if tree is not None:
        source = changed(source, *with_region("tree", tree))
    given = (ROOT / "puzzles" / "12_dot_product" / "given.h").read_text(encoding="utf-8").replace("#pragma once", "")
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / "dot.cu"
        file.write_text(given + source + HOST % SIZE, encoding="utf-8")
        _, report = simulated(file)
    (kernel,) = report["totals"]["kernels"]
    return kernel


def main() -> None:
    rows = []
    for name, tree in TREES.items():
        kernel = launch(tree)
        counters = kernel["counters"]
        blocks = counters["blocks_total"]
        rows.append([name, *(f"{counters[what] / blocks:g}" for what in ("barriers", "shared_requests", "shared_passes")),
                     f"{kernel['modelled_us']:.1f} µs"])
    print_table(["Adding up a block", "Barriers a block", "Requests a block", "Passes a block", "Modelled"], rows,
                f"The kernel of --atomic with another region tree, N {SIZE}, a thread for every product. Requests to shared memory, and the passes "
                "over its banks that they took. Modelled: the simulator's clock for the H200.")


if __name__ == "__main__":
    main()
