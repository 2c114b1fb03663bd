// Puzzle 42, LoRA + Linear: the launches of its variants.
#include <workbook/run.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// A block of kTile x kTile threads for each tile of the result; x runs along its columns.
dim3 tiles(int rows, int columns) { return dim3(ceil_div(columns, kTile), ceil_div(rows, kTile)); }
dim3 tile() { return dim3(kTile, kTile); }

/// result [rows, columns] = left [rows, inner] right [inner, columns].
void product(Run& run, std::string_view name, half* result, const half* left, const half* right, int rows,
             int inner, int columns) {
  run.step({.name = name, .flops = 2.0 * rows * inner * columns}, [&] {
    product_kernel<<<tiles(rows, columns), tile(), 0, run.stream()>>>(result, left, right, rows, inner,
                                                                      columns);
  });
}

void run_unfused(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O"), rank = run.dim("R");
  const int elements = rows * outputs;
  half *base = run.tensor("base"), *low = run.tensor("low"), *update = run.tensor("update");
  const half* x = run.tensor("x");
  product(run, "x w", base, x, run.tensor("w"), rows, hidden, outputs);
  product(run, "x a", low, x, run.tensor("a"), rows, hidden, rank);
  product(run, "(x a) u", update, low, run.tensor("u"), rows, rank, outputs);
  run.step({.name = "add_kernel", .flops = 1.0 * elements}, [&] {
    add_kernel<<<ceil_div(elements, kBlockSize), kBlockSize, 0, run.stream()>>>(run.tensor("y"), base, update,
                                                                                elements);
  });
}

void run_two(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O"), rank = run.dim("R");
  half* low = run.tensor("low");
  product(run, "x a", low, run.tensor("x"), run.tensor("a"), rows, hidden, rank);
  run.step({.name = "joined_kernel", .flops = 2.0 * rows * (hidden + rank) * outputs}, [&] {
    joined_kernel<<<tiles(rows, outputs), tile(), 0, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), low, run.tensor("w"), run.tensor("u"), rows, hidden, outputs, rank);
  });
}

using Kernel = void(half* y, const half* x, const half* w, const half* a, const half* u, int rows, int hidden,
                    int outputs, int rank);

void one_launch(Run& run, std::string_view name, Kernel* kernel, double flops) {
  run.step({.name = name, .flops = flops}, [&] {
    kernel<<<tiles(run.dim("B"), run.dim("O")), tile(), 0, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), run.tensor("w"), run.tensor("a"), run.tensor("u"), run.dim("B"),
        run.dim("H"), run.dim("O"), run.dim("R"));
  });
}

/// x w and x a, of which each tile of columns makes the second anew, as wide as a tile.
double loop_flops(const Run& run) {
  return 2.0 * run.dim("B") * run.dim("H") * (run.dim("O") + kTile * ceil_div(run.dim("O"), kTile));
}
void run_fused(Run& run) {
  one_launch(run, "fused_kernel", fused_kernel,
             loop_flops(run) + 2.0 * run.dim("B") * run.dim("R") * run.dim("O"));
}
/// The product with u comes once a tile of x.
void run_concat(Run& run) {
  const double rounds = ceil_div(run.dim("H"), kTile);
  one_launch(run, "concat_kernel", concat_kernel,
             loop_flops(run) + 2.0 * rounds * run.dim("B") * kTile * run.dim("O"));
}

void run_merged(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O"), rank = run.dim("R");
  half* merged = run.tensor("merged");
  run.step({.name = "merge_kernel", .flops = 2.0 * hidden * rank * outputs}, [&] {
    merge_kernel<<<dim3(ceil_div(outputs, kBlockSize), hidden), kBlockSize, 0, run.stream()>>>(
        merged, run.tensor("w"), run.tensor("a"), run.tensor("u"), outputs, rank);
  });
  product(run, "x merged", run.tensor("y"), run.tensor("x"), merged, rows, hidden, outputs);
}

/// As many warps a block as the device has shared memory for, each with its own; beside them the tile of u.
void run_tensor(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O"), rank = run.dim("R");
  const dim3 grid(ceil_div(outputs, kColumns), ceil_div(rows, kFragment));
  constexpr int kRingBytes = sizeof(Ring), kUBytes = sizeof(UTile);
  int device = 0, most_bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const int warps = std::min(kMostWarps, (most_bytes - kUBytes) / kRingBytes), bytes = warps * kRingBytes;
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // Each block makes x a for its rows.
  const double flops =
      2.0 * rows * hidden * (outputs + 1.0 * kFragment * grid.x) + 2.0 * rows * rank * outputs;
  run.step({.name = "tensor_kernel", .flops = flops}, [&] {
    tensor_kernel<<<grid, warps * 32, bytes, run.stream()>>>(run.tensor("y"), run.tensor("x"),
                                                             run.tensor("w"), run.tensor("a"),
                                                             run.tensor("u"), rows, hidden, outputs, rank);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"unfused", run_unfused}, {"two", run_two},       {"fused", run_fused},
    {"concat", run_concat},   {"merged", run_merged}, {"tensor", run_tensor}};
