// Puzzle 15, Axis sum: the launches of its three variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_thread_per_row(Run& run) {
  run.step("sum_thread_per_row_kernel", "R*C", [&] {
    sum_thread_per_row_kernel<<<ceil_div(run["R"], kThreads), kThreads, 0, run.stream()>>>(
        run["row_sums"], run["a"], run["R"], run["C"]);
  });
}

static void run_block_per_row(Run& run) {
  run.step("sum_block_per_row_kernel", "R*C", [&] {
    sum_block_per_row_kernel<<<run.dim("R"), kThreads, 0, run.stream()>>>(run["row_sums"], run["a"],
                                                                          run["C"]);
  });
}

static void run_columns(Run& run) {
  const dim3 block(kAcross, kDown);
  run.step("sum_columns_kernel", "R*C", [&] {
    sum_columns_kernel<<<ceil_div(run["C"], kAcross), block, 0, run.stream()>>>(run["column_sums"], run["a"],
                                                                                run["R"], run["C"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"thread-per-row", run_thread_per_row}, {"block-per-row", run_block_per_row}, {"columns", run_columns}};
