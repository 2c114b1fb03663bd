// Puzzle 42, LoRA + Linear: the launches of its variants.
#include <workbook/run.h>
#include <workbook/shared_memory.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

const dim3 kTileThreads(kTile, kTile);
/// A block of kTile x kTile threads for each tile of the result; x runs along its columns.
static dim3 tiles(int rows, int columns) { return dim3(ceil_div(columns, kTile), ceil_div(rows, kTile)); }

/// result [rows, columns] = left [rows, inner] right [inner, columns].
static void product(Run& run, std::string_view name, half* result, const half* left, const half* right,
                    int rows, int inner, int columns) {
  run.step(name, 2.0 * rows * inner * columns, [&] {
    product_kernel<<<tiles(rows, columns), kTileThreads, 0, run.stream()>>>(result, left, right, rows, inner,
                                                                            columns);
  });
}

static void run_unfused(Run& run) {
  product(run, "x w", run["base"], run["x"], run["w"], run["B"], run["H"], run["O"]);
  product(run, "x a", run["low"], run["x"], run["a"], run["B"], run["H"], run["R"]);
  product(run, "(x a) u", run["update"], run["low"], run["u"], run["B"], run["R"], run["O"]);
  run.step("add_kernel", "B*O", [&] {
    add_kernel<<<ceil_div(run["B*O"], kBlockSize), kBlockSize, 0, run.stream()>>>(run["y"], run["base"],
                                                                                  run["update"], run["B*O"]);
  });
}

static void run_two(Run& run) {
  product(run, "x a", run["low"], run["x"], run["a"], run["B"], run["H"], run["R"]);
  run.step("joined_kernel", "2*B*(H+R)*O", [&] {
    joined_kernel<<<tiles(run["B"], run["O"]), kTileThreads, 0, run.stream()>>>(
        run["y"], run["x"], run["low"], run["w"], run["u"], run["B"], run["H"], run["O"], run["R"]);
  });
}

using Kernel = void(half* y, const half* x, const half* w, const half* a, const half* u, int rows, int hidden,
                    int outputs, int rank);

static void one_launch(Run& run, std::string_view name, Kernel* kernel, double flops) {
  run.step(name, flops, [&] {
    kernel<<<tiles(run["B"], run["O"]), kTileThreads, 0, run.stream()>>>(
        run["y"], run["x"], run["w"], run["a"], run["u"], run["B"], run["H"], run["O"], run["R"]);
  });
}

/// x w and x a, of which each tile of columns makes the second anew, as wide as a tile.
static double loop_flops(Run& run) {
  return 2.0 * run["B"] * run["H"] * (run["O"] + kTile * ceil_div(run["O"], kTile));
}
static void run_fused(Run& run) {
  one_launch(run, "fused_kernel", fused_kernel, loop_flops(run) + 2.0 * run["B*R*O"]);
}
/// The product with u comes once a tile of x.
static void run_concat(Run& run) {
  one_launch(run, "concat_kernel", concat_kernel,
             loop_flops(run) + 2.0 * ceil_div(run["H"], kTile) * kTile * run["B*O"]);
}

static void run_merged(Run& run) {
  run.step("merge_kernel", "2*H*R*O", [&] {
    merge_kernel<<<dim3(ceil_div(run["O"], kBlockSize), run["H"]), kBlockSize, 0, run.stream()>>>(
        run["merged"], run["w"], run["a"], run["u"], run["O"], run["R"]);
  });
  product(run, "x merged", run["y"], run["x"], run["merged"], run["B"], run["H"], run["O"]);
}

/// As many warps a block as the device has shared memory for, each with its own; beside them the tile of u.
static void run_tensor(Run& run) {
  const dim3 grid(ceil_div(run["O"], kColumns), ceil_div(run["B"], kFragment));
  constexpr int kRingBytes = sizeof(Ring), kUBytes = sizeof(UTile);
  const int warps = std::min(kMostWarps, (workbook::most_shared_bytes() - kUBytes) / kRingBytes);
  const int bytes = warps * kRingBytes;
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // Each block makes x a for its rows.
  const double flops = 2.0 * run["B*H"] * (run["O"] + 1.0 * kFragment * grid.x) + 2.0 * run["B*R*O"];
  run.step("tensor_kernel", flops, [&] {
    tensor_kernel<<<grid, warps * 32, bytes, run.stream()>>>(run["y"], run["x"], run["w"], run["a"], run["u"],
                                                             run["B"], run["H"], run["O"], run["R"]);
  });
}

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused}, {"two", run_two},
                                                 {"fused", run_fused},     {"concat", run_concat},
                                                 {"merged", run_merged},   {"tensor", run_tensor}};
