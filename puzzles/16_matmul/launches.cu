// Puzzle 16, Matrix multiplication: the launches of its four variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

using Kernel = void(float* c, const float* a, const float* b, int rows, int cols, int inner);

/// A block of kTile x kTile threads for each tile of C; x runs along its columns.
static void multiply(Run& run, std::string_view name, Kernel* kernel) {
  const dim3 grid(ceil_div(run["N"], kTile), ceil_div(run["M"], kTile)), block(kTile, kTile);
  run.step(name, "2*M*N*K", [&] {
    kernel<<<grid, block, 0, run.stream()>>>(run["c"], run["a"], run["b"], run["M"], run["N"], run["K"]);
  });
}

static void run_naive(Run& run) { multiply(run, "matmul_naive_kernel", matmul_naive_kernel); }
static void run_single_block(Run& run) {
  multiply(run, "matmul_single_block_kernel", matmul_single_block_kernel);
}
static void run_tiled(Run& run) { multiply(run, "matmul_tiled_kernel", matmul_tiled_kernel); }
static void run_async_tiled(Run& run) { multiply(run, "matmul_async_kernel", matmul_async_kernel); }

const workbook::Launchers workbook::launchers = {{"naive", run_naive},
                                                 {"single-block", run_single_block},
                                                 {"tiled", run_tiled},
                                                 {"async-tiled", run_async_tiled}};
