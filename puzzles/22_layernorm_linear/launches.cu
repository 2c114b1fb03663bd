// Puzzle 22, LayerNorm + Linear: the launches of its variants.
#include <workbook/run.h>

#include <algorithm>
#include <utility>

#include "backward.cuh"
#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_unfused(Run& run) {
  run.step("layernorm_kernel", "B*S*H*(3*H+10)", [&] {
    layernorm_kernel<<<dim3(run["B"], run["S"]), run.dim("H"), 0, run.stream()>>>(
        run["normalized"], run["x"], run["gamma"], run["beta"], run["B*S"], run["H"]);
  });
  run.step("transpose_kernel", [&] {
    const dim3 grid(ceil_div(run["H"], kTransposeTile), ceil_div(run["O"], kTransposeTile));
    const dim3 block(kTransposeTile, kTransposeRows);
    transpose_kernel<<<grid, block, 0, run.stream()>>>(run["weight_transposed"], run["weight"], run["O"],
                                                       run["H"]);
  });
  run.step("matmul_tiled_kernel", "2*B*S*O*H", [&] {
    const dim3 grid(ceil_div(run["O"], kMatmulTile), ceil_div(run["B*S"], kMatmulTile));
    const dim3 block(kMatmulTile, kMatmulTile);
    matmul_tiled_kernel<<<grid, block, 0, run.stream()>>>(
        run["product"], run["normalized"], run["weight_transposed"], run["B*S"], run["O"], run["H"]);
  });
  run.step("add_bias_kernel", "B*S*O", [&] {
    const dim3 grid(run["B*S"], ceil_div(run["O"], kBiasThreads));
    add_bias_kernel<<<grid, kBiasThreads, 0, run.stream()>>>(run["y"], run["product"], run["bias"],
                                                             run["B*S"], run["O"]);
  });
}

static void run_fused(Run& run) {
  // Each element is normalised again for each output.
  run.step("minimal_fused_kernel", "B*S*(3*H+6+O*(6*H+1))", [&] {
    minimal_fused_kernel<<<dim3(run["B"], run["S"]), 1, 0, run.stream()>>>(
        run["y"], run["x"], run["gamma"], run["beta"], run["weight"], run["bias"], run["B*S"], run["H"],
        run["O"]);
  });
}

static void run_fused_block(Run& run) {
  const std::size_t shared_bytes = sizeof(float) * kRowsPerBlock * run["H"];
  const dim3 grid(ceil_div(run["B*S"], kRowsPerBlock)), block(kWarpsPerBlock * kWarpSize);
  run.step("fused_block_kernel", "B*S*(9*H+O*(2*H+1))", [&] {
    fused_block_kernel<<<grid, block, shared_bytes, run.stream()>>>(run["y"], run["x"], run["gamma"],
                                                                    run["beta"], run["weight"], run["bias"],
                                                                    run["B*S"], run["H"], run["O"]);
  });
}

static void run_fused_tiled(Run& run) {
  const dim3 grid(ceil_div(run["O"], kTileColumns), ceil_div(run["B*S"], kTilePositions));
  run.step("fused_tiled_kernel", "B*S*O*(2*H+4)", [&] {
    fused_tiled_kernel<<<grid, kTileThreads, 0, run.stream()>>>(run["y"], run["x"], run["gamma"], run["beta"],
                                                                run["weight"], run["bias"], run["B*S"],
                                                                run["H"], run["O"]);
  });
}

/// How many blocks share a product of [rows, columns] over `inner`.
static int product_blocks(int rows, int columns, int inner) {
  const long long steps = static_cast<long long>(ceil_div(inner, kTileDepth)) * ceil_div(rows, kTileRows) *
                          ceil_div(columns, kTileColumns);
  // At least 16 steps a block: adding the parts of a tile together is not free.
  return static_cast<int>(std::min<long long>(kProductBlocks, (steps + 15) / 16));
}

/// Everything that later launches add to: tensors and their sizes.
static void zero(Run& run, std::initializer_list<std::pair<const char*, const char*>> tensors) {
  run.step("zero_kernel", [&] {
    Zeros zeros = {};
    int count = 0;
    for (const auto& [name, size] : tensors) zeros.array[count] = run[name], zeros.size[count++] = run[size];
    zero_kernel<<<kProductBlocks, 512, 0, run.stream()>>>(zeros);
  });
}

static void gradient_of_rows(Run& run) {
  const int blocks = product_blocks(run["B*S"], run["H"], run["O"]);
  run.step("dn = dy W", "2*B*S*H*O", [&] {
    product_kernel<<<blocks, kTileThreads, 0, run.stream()>>>(run["dn"], run["dy"], run["weight"], run["B*S"],
                                                              run["H"], run["O"]);
  });
}

static void gradient_of_weight(Run& run) {
  const int blocks = product_blocks(run["O"], run["H"], run["B*S"]);
  run.step("dW = dy^T n", "2*B*S*H*O", [&] {
    product_transposed_kernel<<<blocks, kTileThreads, 0, run.stream()>>>(
        run["dweight"], run["dy"], run["normalized"], run["O"], run["H"], run["B*S"]);
  });
}

/// The rows of x are normalised as they are loaded: n lies nowhere.
static void gradient_of_weight_from_x(Run& run) {
  const int blocks = product_blocks(run["O"], run["H"], run["B*S"]);
  run.step("dW = dy^T n", "2*B*S*H*O", [&] {
    const Normalization norm{run["mean"], run["inv_std"], run["gamma"], run["beta"], run["dbias"]};
    product_normalized_kernel<<<blocks, kTileThreads, 0, run.stream()>>>(
        run["dweight"], run["dy"], run["x"], run["O"], run["H"], run["B*S"], norm);
  });
}

/// sums [columns] of in [rows, columns].
static void sum_columns(Run& run, std::string_view name, float* sums, const float* in, int rows,
                        int columns) {
  run.step(name, 1.0 * rows * columns, [&] {
    const dim3 block(kWarpSize, kWarpSize);
    column_sums_kernel<<<ceil_div(columns, kWarpSize), block, 0, run.stream()>>>(sums, in, rows, columns);
  });
}

static void run_backward_unfused(Run& run) {
  const int row_blocks = ceil_div(run["B*S"], kRowsPerBlock), threads = kRowsPerBlock * kWarpSize;
  run.step("normalize_kernel", "9*B*S*H", [&] {
    normalize_kernel<<<row_blocks, threads, 0, run.stream()>>>(run["normalized"], run["mean"], run["inv_std"],
                                                               run["x"], run["gamma"], run["beta"],
                                                               run["B*S"], run["H"]);
  });
  zero(run, {{"dn", "B*S*H"}, {"dweight", "O*H"}});
  gradient_of_rows(run);
  gradient_of_weight(run);
  sum_columns(run, "db", run["dbias"], run["dy"], run["B*S"], run["O"]);
  run.step("backward_columns_kernel", "5*B*S*H", [&] {
    const dim3 block(kWarpSize, kWarpSize);
    backward_columns_kernel<<<ceil_div(run["H"], kWarpSize), block, 0, run.stream()>>>(
        run["dgamma"], run["dbeta"], run["dn"], run["x"], run["mean"], run["inv_std"], run["B*S"], run["H"]);
  });
  run.step("backward_dx_kernel", "13*B*S*H", [&] {
    backward_dx_kernel<<<row_blocks, threads, 0, run.stream()>>>(
        run["dx"], run["dn"], run["x"], run["mean"], run["inv_std"], run["gamma"], run["B*S"], run["H"]);
  });
}

static void run_backward_fused(Run& run) {
  const std::size_t shared_bytes = 2 * sizeof(float) * run["H"];
  const int blocks = ceil_div(run["B*S"], kRowsPerShare), threads = kRowsPerBlock * kWarpSize;
  zero(run, {{"dn", "B*S*H"}, {"dweight", "O*H"}, {"dgamma", "H"}, {"dbeta", "H"}});
  sum_columns(run, "db", run["dbias"], run["dy"], run["B*S"], run["O"]);
  gradient_of_rows(run);
  run.step("backward_fused_kernel", "20*B*S*H", [&] {
    backward_fused_kernel<<<blocks, threads, shared_bytes, run.stream()>>>(
        run["dx"], run["dgamma"], run["dbeta"], run["mean"], run["inv_std"], run["dn"], run["x"],
        run["gamma"], run["B*S"], run["H"]);
  });
  gradient_of_weight_from_x(run);
}

static void run_backward_two_stage(Run& run) {
  const std::size_t shared_bytes = 2 * sizeof(float) * run["H"];
  const int shares = ceil_div(run["B*S"], kRowsPerShare), threads = kRowsPerBlock * kWarpSize;
  zero(run, {{"dn", "B*S*H"}, {"dweight", "O*H"}});
  sum_columns(run, "db", run["dbias"], run["dy"], run["B*S"], run["O"]);
  gradient_of_rows(run);
  run.step("backward_parts_kernel", "20*B*S*H", [&] {
    backward_parts_kernel<<<shares, threads, shared_bytes, run.stream()>>>(
        run["dx"], run["gamma_parts"], run["beta_parts"], run["mean"], run["inv_std"], run["dn"], run["x"],
        run["gamma"], run["B*S"], run["H"]);
  });
  sum_columns(run, "dgamma", run["dgamma"], run["gamma_parts"], shares, run["H"]);
  sum_columns(run, "dbeta", run["dbeta"], run["beta_parts"], shares, run["H"]);
  gradient_of_weight_from_x(run);
}

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused},
                                                 {"fused", run_fused},
                                                 {"fused-block", run_fused_block},
                                                 {"fused-tiled", run_fused_tiled},
                                                 {"backward-unfused", run_backward_unfused},
                                                 {"backward-fused", run_backward_fused},
                                                 {"backward-two-stage", run_backward_two_stage}};
