// Puzzle 15, Axis sum: the launches of its three variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// One addition an element, whoever makes it.
double additions(const Run& run) { return 1.0 * run.dim("R") * run.dim("C"); }

void run_thread_per_row(Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "sum_thread_per_row_kernel", .flops = additions(run)}, [&] {
    sum_thread_per_row_kernel<<<ceil_div(rows, kThreads), kThreads, 0, run.stream()>>>(
        run.tensor("row_sums"), run.tensor("a"), rows, cols);
  });
}

void run_block_per_row(Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "sum_block_per_row_kernel", .flops = additions(run)}, [&] {
    sum_block_per_row_kernel<<<rows, kThreads, 0, run.stream()>>>(run.tensor("row_sums"), run.tensor("a"),
                                                                  cols);
  });
}

void run_columns(Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "sum_columns_kernel", .flops = additions(run)}, [&] {
    const dim3 block(kAcross, kDown);
    sum_columns_kernel<<<ceil_div(cols, kAcross), block, 0, run.stream()>>>(run.tensor("column_sums"),
                                                                            run.tensor("a"), rows, cols);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"thread-per-row", run_thread_per_row}, {"block-per-row", run_block_per_row}, {"columns", run_columns}};
