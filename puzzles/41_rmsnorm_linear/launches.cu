// Puzzle 41, RMSNorm + Linear: the launches of its variants.
#include <workbook/run.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// A block of kTile x kTile threads for each tile of y; x runs along its columns.
dim3 tiles(const Run& run, int parts = 1) {
  return dim3(ceil_div(run.dim("O"), kTile), ceil_div(run.dim("B"), kTile), parts);
}
dim3 tile() { return dim3(kTile, kTile); }

double product_flops(const Run& run) { return 2.0 * run.dim("B") * run.dim("H") * run.dim("O"); }
/// An element of x: a square, its addition, and the product with g.
double row_flops(const Run& run) { return 3.0 * run.dim("B") * run.dim("H"); }

void run_unfused(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O");
  run.step({.name = "rmsnorm_kernel", .flops = row_flops(run) + 1.0 * rows * hidden}, [&] {
    rmsnorm_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("normalized"), run.tensor("x"),
                                                          run.tensor("g"), hidden);
  });
  run.step({.name = "product_kernel", .flops = product_flops(run)}, [&] {
    product_kernel<<<tiles(run), tile(), 0, run.stream()>>>(run.tensor("y"), run.tensor("normalized"),
                                                            run.tensor("w"), rows, hidden, outputs);
  });
}

using Kernel = void(half* y, const half* x, const half* g, const half* w, int rows, int hidden, int outputs);

void one_launch(Run& run, std::string_view name, Kernel* kernel, double flops) {
  run.step({.name = name, .flops = flops}, [&] {
    kernel<<<tiles(run), tile(), 0, run.stream()>>>(run.tensor("y"), run.tensor("x"), run.tensor("g"),
                                                    run.tensor("w"), run.dim("B"), run.dim("H"),
                                                    run.dim("O"));
  });
}

// Each thread squares its whole row, and multiplies it by g.
void run_fused(Run& run) { one_launch(run, "fused_kernel", fused_kernel, 2.5 * product_flops(run)); }
// Each block does, for its rows.
void run_fused_tiled(Run& run) {
  one_launch(run, "fused_tiled_kernel", fused_tiled_kernel,
             product_flops(run) + row_flops(run) * ceil_div(run.dim("O"), kTile));
}

void run_split(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O");
  float* products = run.tensor("products");
  float* squares = run.tensor("squares");
  run.step(
      {.name = "split_kernel", .flops = product_flops(run) + row_flops(run) * ceil_div(outputs, kTile)}, [&] {
        split_kernel<<<tiles(run, kParts), tile(), 0, run.stream()>>>(products, squares, run.tensor("x"),
                                                                      run.tensor("g"), run.tensor("w"), rows,
                                                                      hidden, outputs, part_size(hidden));
      });
  run.step({.name = "combine_kernel", .flops = 2.0 * kParts * rows * outputs}, [&] {
    combine_kernel<<<dim3(ceil_div(outputs, kBlockSize), rows), kBlockSize, 0, run.stream()>>>(
        run.tensor("y"), products, squares, rows, hidden, outputs);
  });
}

/// As many warps a block as the device has shared memory for, each with its own.
void run_tensor(Run& run) {
  const int rows = run.dim("B"), outputs = run.dim("O");
  const dim3 grid(ceil_div(outputs, kWidth), ceil_div(rows, kTile));
  int device = 0, most_bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const int warps = std::min(kMostWarps, most_bytes / static_cast<int>(sizeof(WarpMemory)));
  const int bytes = warps * static_cast<int>(sizeof(WarpMemory));
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // Each block squares its rows, and multiplies them by g.
  run.step({.name = "tensor_kernel", .flops = product_flops(run) + row_flops(run) * grid.x}, [&] {
    tensor_kernel<<<grid, warps * kWarpSize, bytes, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), run.tensor("g"), run.tensor("w"), rows, run.dim("H"), outputs);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"unfused", run_unfused},
                                                                       {"fused", run_fused},
                                                                       {"fused-tiled", run_fused_tiled},
                                                                       {"split", run_split},
                                                                       {"tensor", run_tensor}};
