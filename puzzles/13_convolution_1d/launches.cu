// Puzzle 13, Convolution 1D: one launch for each variant.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_simple(Run& run) {
  run.step("convolve_kernel", "2*N*K", [&] {
    convolve_kernel<<<ceil_div(run["N"], kBlockSize), kBlockSize, 0, run.stream()>>>(
        run["out"], run["a"], run["filter"], run["N"], run["K"]);
  });
}

static void run_block_boundary(Run& run) {
  run.step("convolve_staged_kernel", "2*N*K", [&] {
    convolve_staged_kernel<<<ceil_div(run["N"], kBlockSize), kBlockSize, 0, run.stream()>>>(
        run["out"], run["a"], run["filter"], run["N"], run["K"]);
  });
}

static void run_sliding(Run& run) {
  run.step("convolve_sliding_kernel", "2*N*K", [&] {
    convolve_sliding_kernel<<<ceil_div(run["N"], kBlockSize * kPerThread), kBlockSize, 0, run.stream()>>>(
        run["out"], run["a"], run["filter"], run["N"], run["K"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"simple", run_simple}, {"block-boundary", run_block_boundary}, {"sliding", run_sliding}};
