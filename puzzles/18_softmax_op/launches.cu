// Puzzle 18, Softmax op: the launches of its two variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// An element costs a comparison, two subtractions, two exponentials, an addition and a division.
double operations(const Run& run) { return 7.0 * run.dim("R") * run.dim("C"); }

void run_thread_per_row(Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "softmax_thread_per_row_kernel", .flops = operations(run)}, [&] {
    softmax_thread_per_row_kernel<<<ceil_div(rows, kThreads), kThreads, 0, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), rows, cols);
  });
}

void run_block_per_row(Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "softmax_block_per_row_kernel", .flops = operations(run)}, [&] {
    softmax_block_per_row_kernel<<<rows, kThreads, 0, run.stream()>>>(run.tensor("y"), run.tensor("x"), cols);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"thread-per-row", run_thread_per_row},
                                                                       {"block-per-row", run_block_per_row}};
