// Puzzle 41, RMSNorm + Linear: the launches of its variants.
#include <workbook/run.h>
#include <workbook/shared_memory.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

/// A block of kTile x kTile threads for each tile of y; x runs along its columns.
static dim3 tiles(Run& run, int parts = 1) {
  return dim3(ceil_div(run["O"], kTile), ceil_div(run["B"], kTile), parts);
}
const dim3 kTileThreads(kTile, kTile);

// An element of x takes a square, its addition, and the product with g; that of --unfused one with the norm.

static void run_unfused(Run& run) {
  run.step("rmsnorm_kernel", "4*B*H", [&] {
    rmsnorm_kernel<<<run.dim("B"), kBlockSize, 0, run.stream()>>>(run["normalized"], run["x"], run["g"],
                                                                  run["H"]);
  });
  run.step("product_kernel", "2*B*H*O", [&] {
    product_kernel<<<tiles(run), kTileThreads, 0, run.stream()>>>(run["y"], run["normalized"], run["w"],
                                                                  run["B"], run["H"], run["O"]);
  });
}

static void run_fused(Run& run) {
  run.step("fused_kernel", "5*B*H*O", [&] {
    fused_kernel<<<tiles(run), kTileThreads, 0, run.stream()>>>(run["y"], run["x"], run["g"], run["w"],
                                                                run["B"], run["H"], run["O"]);
  });
}

/// Of the tiled product: the squares of a row once for each tile of columns.
static double tiled_flops(Run& run) { return run.dim("B*H") * (2.0 * run["O"] + 3.0 * tiles(run).x); }

static void run_fused_tiled(Run& run) {
  run.step("fused_tiled_kernel", tiled_flops(run), [&] {
    fused_tiled_kernel<<<tiles(run), kTileThreads, 0, run.stream()>>>(run["y"], run["x"], run["g"], run["w"],
                                                                      run["B"], run["H"], run["O"]);
  });
}

static void run_split(Run& run) {
  run.step("split_kernel", tiled_flops(run), [&] {
    split_kernel<<<tiles(run, kParts), kTileThreads, 0, run.stream()>>>(
        run["products"], run["squares"], run["x"], run["g"], run["w"], run["B"], run["H"], run["O"],
        part_size(run["H"]));
  });
  run.step("combine_kernel", 2.0 * kParts * run["B*O"], [&] {
    combine_kernel<<<dim3(ceil_div(run["O"], kBlockSize), run["B"]), kBlockSize, 0, run.stream()>>>(
        run["y"], run["products"], run["squares"], run["B"], run["H"], run["O"]);
  });
}

static void run_tensor(Run& run) {
  const dim3 grid(ceil_div(run["O"], kWidth), ceil_div(run["B"], kTile));
  constexpr int kBytes = sizeof(WarpMemory);
  const int warps = std::min(kMostWarps, workbook::most_shared_bytes() / kBytes), bytes = warps * kBytes;
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // Each block squares its rows, and multiplies them by g.
  run.step("tensor_kernel", run.dim("B*H") * (2.0 * run["O"] + 3.0 * grid.x), [&] {
    tensor_kernel<<<grid, warps * kWarpSize, bytes, run.stream()>>>(run["y"], run["x"], run["g"], run["w"],
                                                                    run["B"], run["H"], run["O"]);
  });
}

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused},
                                                 {"fused", run_fused},
                                                 {"fused-tiled", run_fused_tiled},
                                                 {"split", run_split},
                                                 {"tensor", run_tensor}};
