// Puzzle 22, LayerNorm + Linear: the launches of its variants.
#include <workbook/run.h>

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
             const dim3 grid(ceil_div(size.outputs, kBlockTile), ceil_div(size.positions, kBlockTile));
             fused_tiled_kernel<<<grid, kBlockThreads, 0, run.stream()>>>(
                 run.tensor("y"), run.tensor("x"), run.tensor("gamma"), run.tensor("beta"),
                 run.tensor("weight"), run.tensor("bias"), size.positions, size.hidden, size.outputs);
           });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"unfused", run_unfused},
                                                                       {"fused", run_fused},
                                                                       {"fused-block", run_fused_block},
                                                                       {"fused-tiled", run_fused_tiled}};
