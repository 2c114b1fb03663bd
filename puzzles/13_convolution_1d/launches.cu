// Puzzle 13, Convolution 1D: one launch for each variant.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

void run_simple(Run& run) {
  const int size = run.dim("N"), taps = run.dim("K");
  run.step({.name = "convolve_kernel", .flops = 2.0 * size * taps}, [&] {
    convolve_kernel<<<ceil_div(size, kBlockSize), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("a"), run.tensor("filter"), size, taps);
  });
}

void run_block_boundary(Run& run) {
  const int size = run.dim("N"), taps = run.dim("K");
  run.step({.name = "convolve_staged_kernel", .flops = 2.0 * size * taps}, [&] {
    convolve_staged_kernel<<<ceil_div(size, kBlockSize), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("a"), run.tensor("filter"), size, taps);
  });
}

void run_sliding(Run& run) {
  const int size = run.dim("N"), taps = run.dim("K");
  run.step({.name = "convolve_sliding_kernel", .flops = 2.0 * size * taps}, [&] {
    convolve_sliding_kernel<<<ceil_div(size, kBlockSize * kPerThread), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("a"), run.tensor("filter"), size, taps);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"simple", run_simple}, {"block-boundary", run_block_boundary}, {"sliding", run_sliding}};
