// Puzzle 16, Matrix multiplication: the launches of its four variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

using Kernel = void(float* c, const float* a, const float* b, int rows, int cols, int inner);

/// A block of kTile x kTile threads for each tile of C; x runs along its columns.
void multiply(Run& run, std::string_view name, Kernel* kernel) {
  const int rows = run.dim("M"), cols = run.dim("N"), inner = run.dim("K");
  run.step({.name = name, .flops = 2.0 * rows * cols * inner}, [&] {
    const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    const dim3 block(kTile, kTile);
    kernel<<<grid, block, 0, run.stream()>>>(run.tensor("c"), run.tensor("a"), run.tensor("b"), rows, cols,
                                             inner);
  });
}

void run_naive(Run& run) { multiply(run, "matmul_naive_kernel", matmul_naive_kernel); }
void run_single_block(Run& run) { multiply(run, "matmul_single_block_kernel", matmul_single_block_kernel); }
void run_tiled(Run& run) { multiply(run, "matmul_tiled_kernel", matmul_tiled_kernel); }
void run_async_tiled(Run& run) { multiply(run, "matmul_async_kernel", matmul_async_kernel); }

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"naive", run_naive},
                                                                       {"single-block", run_single_block},
                                                                       {"tiled", run_tiled},
                                                                       {"async-tiled", run_async_tiled}};
