// Puzzle 18, Softmax op: the launches of its two variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

// An element costs a comparison, two subtractions, two exponentials, an addition and a division.
const char* const kOperations = "7*R*C";

static void run_thread_per_row(Run& run) {
  run.step("softmax_thread_per_row_kernel", kOperations, [&] {
    softmax_thread_per_row_kernel<<<ceil_div(run["R"], kThreads), kThreads, 0, run.stream()>>>(
        run["y"], run["x"], run["R"], run["C"]);
  });
}

static void run_block_per_row(Run& run) {
  run.step("softmax_block_per_row_kernel", kOperations, [&] {
    softmax_block_per_row_kernel<<<run.dim("R"), kThreads, 0, run.stream()>>>(run["y"], run["x"], run["C"]);
  });
}

const workbook::Launchers workbook::launchers = {{"thread-per-row", run_thread_per_row},
                                                 {"block-per-row", run_block_per_row}};
