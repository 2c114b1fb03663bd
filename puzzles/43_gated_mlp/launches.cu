// Puzzle 43, gated MLP: the launches of its variants.
#include <workbook/run.h>
#include <workbook/shared_memory.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

const dim3 kTileThreads(kTile, kTile);
/// A block of kTile x kTile threads for each tile of a result with `columns` columns; x runs along these.
static dim3 tiles(Run& run, int columns, int parts = 1) {
  return dim3(ceil_div(columns, kTile), ceil_div(run["B"], kTile), parts);
}

// A product takes 2 B H O operations. An element of SiLU takes four: a negation, an exponential, an addition
// and a division.
const char* const kFlops = "4*B*H*O+5*B*O";

/// out = x matrix: product_kernel of given.cuh.
static void product(Run& run, std::string_view name, std::string_view out, std::string_view matrix) {
  run.step(name, "2*B*H*O", [&] {
    product_kernel<<<tiles(run, run["O"]), kTileThreads, 0, run.stream()>>>(run[out], run["x"], run[matrix],
                                                                            run["B"], run["H"], run["O"]);
  });
}

static void run_unfused(Run& run) {
  const int size = run["B*O"], blocks = ceil_div(size, kBlockSize);
  product(run, "product_kernel (x u)", "gate", "u");
  product(run, "product_kernel (x w)", "up", "w");
  run.step("silu_kernel", "4*B*O", [&] {
    silu_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["activated"], run["gate"], size);
  });
  run.step("multiply_kernel", "B*O", [&] {
    multiply_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["y"], run["activated"], run["up"], size);
  });
}

static void run_epilogue(Run& run) {
  product(run, "product_kernel (x u)", "gate", "u");
  run.step("epilogue_kernel", "2*B*H*O+5*B*O", [&] {
    epilogue_kernel<<<tiles(run, run["O"]), kTileThreads, 0, run.stream()>>>(
        run["y"], run["gate"], run["x"], run["w"], run["B"], run["H"], run["O"]);
  });
}

static void run_fused(Run& run) {
  run.step("fused_kernel", kFlops, [&] {
    fused_kernel<<<tiles(run, run["O"]), kTileThreads, 0, run.stream()>>>(
        run["y"], run["x"], run["u"], run["w"], run["B"], run["H"], run["O"]);
  });
}

static void run_interleaved(Run& run) {
  run.step("interleaved_kernel", kFlops, [&] {
    interleaved_kernel<<<tiles(run, run["2*O"]), kTileThreads, 0, run.stream()>>>(
        run["y"], run["x"], run["uw"], run["B"], run["H"], run["O"]);
  });
}

static void run_split(Run& run) {
  run.step("split_kernel", "4*B*H*O", [&] {
    split_kernel<<<tiles(run, run["O"], kParts), kTileThreads, 0, run.stream()>>>(
        run["gates"], run["ups"], run["x"], run["u"], run["w"], run["B"], run["H"], run["O"],
        part_size(run["H"]));
  });
  run.step("combine_kernel", (2.0 * kParts + 5.0) * run["B*O"], [&] {
    combine_kernel<<<dim3(ceil_div(run["O"], kBlockSize), run["B"]), kBlockSize, 0, run.stream()>>>(
        run["y"], run["gates"], run["ups"], run["B"], run["O"]);
  });
}

static void run_tensor(Run& run) {
  // A ring for each warp: as many warps as the shared memory that a block can have holds.
  constexpr int kBytes = sizeof(Ring);
  const int warps = std::min(kMostWarps, workbook::most_shared_bytes() / kBytes), bytes = warps * kBytes;
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 blocks(ceil_div(run["O"], kColumns), ceil_div(run["B"], kFragment));
  run.step("tensor_kernel", kFlops, [&] {
    tensor_kernel<<<blocks, warps * 32, bytes, run.stream()>>>(run["y"], run["x"], run["u"], run["w"],
                                                               run["B"], run["H"], run["O"]);
  });
}

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused}, {"epilogue", run_epilogue},
                                                 {"fused", run_fused},     {"interleaved", run_interleaved},
                                                 {"split", run_split},     {"tensor", run_tensor}};
