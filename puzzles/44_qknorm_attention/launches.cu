// Puzzle 44, attention with QK-Norm: the launches of its variants.
#include <workbook/run.h>

#include <cmath>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

const dim3 kTileThreads(kTile, kTile);

static float scale(Run& run) { return 1.0f / std::sqrt(static_cast<float>(run.dim("D"))); }
/// Of the operations of a query and a key, for each feature and beside them.
static double pairs(Run& run, double a_feature, double beside) {
  return 1.0 * run["N"] * run["S"] * run["T"] * (a_feature * run["D"] + beside);
}

static void softmax_and_values(Run& run) {
  run.step("softmax_kernel", "5*N*S*T", [&] {
    softmax_kernel<<<run.dim("N*S"), kBlockSize, 0, run.stream()>>>(run["weights"], run["scores"], run["T"]);
  });
  const dim3 blocks(ceil_div(run["D"], kTile), ceil_div(run["S"], kTile), run["N"]);
  run.step("values_kernel", "2*N*S*T*D", [&] {
    values_kernel<<<blocks, kTileThreads, 0, run.stream()>>>(run["out"], run["weights"], run["v"], run["S"],
                                                             run["T"], run["D"]);
  });
}

static dim3 score_tiles(Run& run) {
  return dim3(ceil_div(run["T"], kTile), ceil_div(run["S"], kTile), run["N"]);
}

static void run_unfused(Run& run) {
  run.step("norm_rows_kernel of q", "4*N*S*D", [&] {
    norm_rows_kernel<<<ceil_div(run["N*S"], kWarps), kBlockSize, 0, run.stream()>>>(
        run["q_norm"], run["q"], run["gq"], run["N*S"], run["D"]);
  });
  run.step("norm_rows_kernel of k", "4*N*T*D", [&] {
    norm_rows_kernel<<<ceil_div(run["N*T"], kWarps), kBlockSize, 0, run.stream()>>>(
        run["k_norm"], run["k"], run["gk"], run["N*T"], run["D"]);
  });
  run.step("scores_kernel", "2*N*S*T*D", [&] {
    scores_kernel<<<score_tiles(run), kTileThreads, 0, run.stream()>>>(
        run["scores"], run["q_norm"], run["k_norm"], scale(run), run["S"], run["T"], run["D"]);
  });
  softmax_and_values(run);
}

static void run_norms_inside(Run& run) {
  run.step("scaled_scores_kernel", "4*N*S*T*D", [&] {
    scaled_scores_kernel<<<score_tiles(run), kTileThreads, 0, run.stream()>>>(
        run["scores"], run["q"], run["k"], run["gq"], run["gk"], scale(run), run["S"], run["T"], run["D"]);
  });
  softmax_and_values(run);
}

/// Both products, a square for each feature that a lane meets, and some five operations a score.
static double flash_flops(Run& run) { return pairs(run, 4.0 + 2.0 / kOwn, 5.0); }

static void run_flash(Run& run) {
  run.step("flash_kernel", flash_flops(run), [&] {
    flash_kernel<<<dim3(ceil_div(run["S"], kQueries), run["N"]), kBlockSize, 0, run.stream()>>>(
        run["out"], run["q"], run["k"], run["v"], run["gq"], run["gk"], scale(run), run["S"], run["T"],
        run["D"]);
  });
}

/// The last launch of --split and --tensor.
static void combine(Run& run) {
  run.step("combine_kernel", 7.0 * kParts * run["N*S*D"], [&] {
    combine_kernel<<<ceil_div(run["N*S*D"], kBlockSize), kBlockSize, 0, run.stream()>>>(
        run["out"], run["maxima"], run["totals"], run["sums"], run["N*S"], run["D"]);
  });
}

static void run_split(Run& run) {
  run.step("split_kernel", flash_flops(run), [&] {
    split_kernel<<<dim3(ceil_div(run["S"], kQueries), run["N"], kParts), kBlockSize, 0, run.stream()>>>(
        run["maxima"], run["totals"], run["sums"], run["q"], run["k"], run["v"], run["gq"], run["gk"],
        scale(run), run["S"], run["T"], run["D"], part_size(run["T"]));
  });
  combine(run);
}

static void run_tensor(Run& run) {
  const dim3 blocks(ceil_div(run["S"], kTensorQueries), run["N"], kParts);
  // Both products, the squares of a key once a block, and some six operations a score.
  run.step("tensor_kernel", pairs(run, 4.0 + 2.0 / kTensorQueries, 6.0), [&] {
    cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(TensorMemory));
    tensor_kernel<<<blocks, kTensorThreads, sizeof(TensorMemory), run.stream()>>>(
        run["maxima"], run["totals"], run["sums"], run["q"], run["k"], run["v"], run["gq"], run["gk"],
        scale(run), run["S"], run["T"], run["D"], part_size(run["T"]));
  });
  combine(run);
}

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused},
                                                 {"norms-inside", run_norms_inside},
                                                 {"flash", run_flash},
                                                 {"split", run_split},
                                                 {"tensor", run_tensor}};
