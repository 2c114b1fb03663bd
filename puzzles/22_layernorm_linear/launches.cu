// Puzzle 22, LayerNorm + Linear: the launches of its variants.
#include <workbook/run.h>

#include <algorithm>
#include <utility>

#include "backward.cuh"
#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

/// The tensors as kernels see them: B*S rows of `hidden` floats in, of `outputs` floats out.
struct Sizes {
  int positions, hidden, outputs;
  explicit Sizes(const Run& run) : positions(run.dim("B*S")), hidden(run.dim("H")), outputs(run.dim("O")) {}
};

int ceil_div(int a, int b) { return (a + b - 1) / b; }

void run_unfused(Run& run) {
  const Sizes size(run);
  float* normalized = run.tensor("normalized");
  float* transposed = run.tensor("weight_transposed");
  float* product = run.tensor("product");
  const double elements = static_cast<double>(size.positions) * size.hidden;
  const double results = static_cast<double>(size.positions) * size.outputs;

  run.step({.name = "layernorm_kernel", .flops = elements * (3.0 * size.hidden + 10.0)}, [&] {
    const dim3 grid(run.dim("B"), run.dim("S"));
    layernorm_kernel<<<grid, size.hidden, 0, run.stream()>>>(normalized, run.tensor("x"), run.tensor("gamma"),
                                                             run.tensor("beta"), size.positions, size.hidden);
  });
  run.step({.name = "transpose_kernel"}, [&] {
    const dim3 grid(ceil_div(size.hidden, kTransposeTile), ceil_div(size.outputs, kTransposeTile));
    const dim3 block(kTransposeTile, kTransposeRows);
    transpose_kernel<<<grid, block, 0, run.stream()>>>(transposed, run.tensor("weight"), size.outputs,
                                                       size.hidden);
  });
  run.step({.name = "matmul_tiled_kernel", .flops = 2.0 * results * size.hidden}, [&] {
    const dim3 grid(ceil_div(size.outputs, kMatmulTile), ceil_div(size.positions, kMatmulTile));
    const dim3 block(kMatmulTile, kMatmulTile);
    matmul_tiled_kernel<<<grid, block, 0, run.stream()>>>(product, normalized, transposed, size.positions,
                                                          size.outputs, size.hidden);
  });
  run.step({.name = "add_bias_kernel", .flops = results}, [&] {
    const dim3 grid(size.positions, ceil_div(size.outputs, kBiasThreads));
    add_bias_kernel<<<grid, kBiasThreads, 0, run.stream()>>>(run.tensor("y"), product, run.tensor("bias"),
                                                             size.positions, size.outputs);
  });
}

void run_fused(Run& run) {
  const Sizes size(run);
  const double row_flops = 3.0 * size.hidden + 6.0;
  const double output_flops = 6.0 * size.hidden + 1.0;  // each element is normalised again for each output
  run.step(
      {.name = "minimal_fused_kernel", .flops = size.positions * (row_flops + size.outputs * output_flops)},
      [&] {
        const dim3 grid(run.dim("B"), run.dim("S"));
        minimal_fused_kernel<<<grid, 1, 0, run.stream()>>>(
            run.tensor("y"), run.tensor("x"), run.tensor("gamma"), run.tensor("beta"), run.tensor("weight"),
            run.tensor("bias"), size.positions, size.hidden, size.outputs);
      });
}

void run_fused_block(Run& run) {
  const Sizes size(run);
  const std::size_t shared_bytes = sizeof(float) * kRowsPerBlock * size.hidden;
  run.step({.name = "fused_block_kernel",
            .flops = size.positions * (9.0 * size.hidden + size.outputs * (2.0 * size.hidden + 1.0))},
           [&] {
             const dim3 grid(ceil_div(size.positions, kRowsPerBlock));
             const dim3 block(kWarpsPerBlock * kWarpSize);
             fused_block_kernel<<<grid, block, shared_bytes, run.stream()>>>(
                 run.tensor("y"), run.tensor("x"), run.tensor("gamma"), run.tensor("beta"),
                 run.tensor("weight"), run.tensor("bias"), size.positions, size.hidden, size.outputs);
           });
}

void run_fused_tiled(Run& run) {
  const Sizes size(run);
  run.step({.name = "fused_tiled_kernel",
            .flops = 2.0 * size.positions * size.outputs * size.hidden + 4.0 * size.positions * size.outputs},
           [&] {
             const dim3 grid(ceil_div(size.outputs, kTileColumns), ceil_div(size.positions, kTilePositions));
             fused_tiled_kernel<<<grid, kTileThreads, 0, run.stream()>>>(
                 run.tensor("y"), run.tensor("x"), run.tensor("gamma"), run.tensor("beta"),
                 run.tensor("weight"), run.tensor("bias"), size.positions, size.hidden, size.outputs);
           });
}

/// A product of [rows, columns] over `inner`, and how many blocks share it.
struct Product {
  int rows, columns, inner;

  int blocks() const {
    const long long steps = static_cast<long long>(ceil_div(inner, kTileDepth)) * ceil_div(rows, kTileRows) *
                            ceil_div(columns, kTileColumns);
    // At least 16 steps a block: adding the parts of a tile together is not free.
    return static_cast<int>(std::min<long long>(kProductBlocks, (steps + 15) / 16));
  }
  double flops() const { return 2.0 * rows * columns * inner; }
};

/// Everything that later launches add to.
void zero(Run& run, std::initializer_list<std::pair<float*, int>> arrays) {
  run.step({.name = "zero_kernel"}, [&] {
    Zeros zeros = {};
    int count = 0;
    for (const auto& [array, size] : arrays) zeros.array[count] = array, zeros.size[count++] = size;
    zero_kernel<<<kProductBlocks, 512, 0, run.stream()>>>(zeros);
  });
}

void gradient_of_rows(Run& run, const Sizes& size) {
  const Product dn{size.positions, size.hidden, size.outputs};
  run.step({.name = "dn = dy W", .flops = dn.flops()}, [&] {
    product_kernel<<<dn.blocks(), kTileThreads, 0, run.stream()>>>(
        run.tensor("dn"), run.tensor("dy"), run.tensor("weight"), dn.rows, dn.columns, dn.inner);
  });
}

void gradient_of_weight(Run& run, const Sizes& size) {
  const Product dw{size.outputs, size.hidden, size.positions};
  run.step({.name = "dW = dy^T n", .flops = dw.flops()}, [&] {
    product_transposed_kernel<<<dw.blocks(), kTileThreads, 0, run.stream()>>>(
        run.tensor("dweight"), run.tensor("dy"), run.tensor("normalized"), dw.rows, dw.columns, dw.inner);
  });
}

/// The rows of x are normalised as they are loaded: n lies nowhere.
void gradient_of_weight_from_x(Run& run, const Sizes& size) {
  const Product dw{size.outputs, size.hidden, size.positions};
  run.step({.name = "dW = dy^T n", .flops = dw.flops()}, [&] {
    const Normalization norm{run.tensor("mean"), run.tensor("inv_std"), run.tensor("gamma"),
                             run.tensor("beta"), run.tensor("dbias")};
    product_normalized_kernel<<<dw.blocks(), kTileThreads, 0, run.stream()>>>(
        run.tensor("dweight"), run.tensor("dy"), run.tensor("x"), dw.rows, dw.columns, dw.inner, norm);
  });
}

/// sums [columns] of in [rows, columns].
void sum_columns(Run& run, std::string_view name, float* sums, const float* in, int rows, int columns) {
  run.step({.name = name, .flops = 1.0 * rows * columns}, [&] {
    const dim3 block(kWarpSize, kWarpSize);
    column_sums_kernel<<<ceil_div(columns, kWarpSize), block, 0, run.stream()>>>(sums, in, rows, columns);
  });
}

void run_backward_unfused(Run& run) {
  const Sizes size(run);
  const double elements = static_cast<double>(size.positions) * size.hidden;
  const int warps = kRowsPerBlock * kWarpSize;
  run.step({.name = "normalize_kernel", .flops = 9.0 * elements}, [&] {
    normalize_kernel<<<ceil_div(size.positions, kRowsPerBlock), warps, 0, run.stream()>>>(
        run.tensor("normalized"), run.tensor("mean"), run.tensor("inv_std"), run.tensor("x"),
        run.tensor("gamma"), run.tensor("beta"), size.positions, size.hidden);
  });
  zero(run, {{run.tensor("dn"), size.positions * size.hidden},
             {run.tensor("dweight"), size.outputs * size.hidden}});
  gradient_of_rows(run, size);
  gradient_of_weight(run, size);
  sum_columns(run, "db", run.tensor("dbias"), run.tensor("dy"), size.positions, size.outputs);
  run.step({.name = "backward_columns_kernel", .flops = 5.0 * elements}, [&] {
    const dim3 block(kWarpSize, kWarpSize);
    backward_columns_kernel<<<ceil_div(size.hidden, kWarpSize), block, 0, run.stream()>>>(
        run.tensor("dgamma"), run.tensor("dbeta"), run.tensor("dn"), run.tensor("x"), run.tensor("mean"),
        run.tensor("inv_std"), size.positions, size.hidden);
  });
  run.step({.name = "backward_dx_kernel", .flops = 13.0 * elements}, [&] {
    backward_dx_kernel<<<ceil_div(size.positions, kRowsPerBlock), warps, 0, run.stream()>>>(
        run.tensor("dx"), run.tensor("dn"), run.tensor("x"), run.tensor("mean"), run.tensor("inv_std"),
        run.tensor("gamma"), size.positions, size.hidden);
  });
}

void run_backward_fused(Run& run) {
  const Sizes size(run);
  zero(run, {{run.tensor("dn"), size.positions * size.hidden},
             {run.tensor("dweight"), size.outputs * size.hidden},
             {run.tensor("dgamma"), size.hidden},
             {run.tensor("dbeta"), size.hidden}});
  sum_columns(run, "db", run.tensor("dbias"), run.tensor("dy"), size.positions, size.outputs);
  gradient_of_rows(run, size);
  run.step({.name = "backward_fused_kernel", .flops = 20.0 * size.positions * size.hidden}, [&] {
    const std::size_t shared_bytes = 2 * sizeof(float) * size.hidden;
    backward_fused_kernel<<<ceil_div(size.positions, kRowsPerShare), kRowsPerBlock * kWarpSize, shared_bytes,
                            run.stream()>>>(run.tensor("dx"), run.tensor("dgamma"), run.tensor("dbeta"),
                                            run.tensor("mean"), run.tensor("inv_std"), run.tensor("dn"),
                                            run.tensor("x"), run.tensor("gamma"), size.positions,
                                            size.hidden);
  });
  gradient_of_weight_from_x(run, size);
}

void run_backward_two_stage(Run& run) {
  const Sizes size(run);
  const int shares = ceil_div(size.positions, kRowsPerShare);
  zero(run, {{run.tensor("dn"), size.positions * size.hidden},
             {run.tensor("dweight"), size.outputs * size.hidden}});
  sum_columns(run, "db", run.tensor("dbias"), run.tensor("dy"), size.positions, size.outputs);
  gradient_of_rows(run, size);
  run.step({.name = "backward_parts_kernel", .flops = 20.0 * size.positions * size.hidden}, [&] {
    const std::size_t shared_bytes = 2 * sizeof(float) * size.hidden;
    backward_parts_kernel<<<shares, kRowsPerBlock * kWarpSize, shared_bytes, run.stream()>>>(
        run.tensor("dx"), run.tensor("gamma_parts"), run.tensor("beta_parts"), run.tensor("mean"),
        run.tensor("inv_std"), run.tensor("dn"), run.tensor("x"), run.tensor("gamma"), size.positions,
        size.hidden);
  });
  sum_columns(run, "dgamma", run.tensor("dgamma"), run.tensor("gamma_parts"), shares, size.hidden);
  sum_columns(run, "dbeta", run.tensor("dbeta"), run.tensor("beta_parts"), shares, size.hidden);
  gradient_of_weight_from_x(run, size);
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"unfused", run_unfused},
    {"fused", run_fused},
    {"fused-block", run_fused_block},
    {"fused-tiled", run_fused_tiled},
    {"backward-unfused", run_backward_unfused},
    {"backward-fused", run_backward_fused},
    {"backward-two-stage", run_backward_two_stage}};
