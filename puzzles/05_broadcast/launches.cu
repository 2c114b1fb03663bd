// Puzzle 05, Broadcast: the launches of its two variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

const dim3 kBlock(kBlockColumns, kBlockRows);

/// Enough blocks for every element of [rows, columns].
static dim3 blocks_for(int rows, int columns) {
  return dim3(ceil_div(columns, kBlockColumns), ceil_div(rows, kBlockRows));
}

static Matrix matrix(Run& run, const char* name) { return Matrix(run[name], run.dim("R"), run.dim("C")); }

static void run_expanded(Run& run) {
  const dim3 blocks = blocks_for(run["R"], run["C"]);
  const Matrix a = matrix(run, "a_matrix"), b = matrix(run, "b_matrix");
  run.step("expand_kernel",
           [&] { expand_kernel<<<blocks, kBlock, 0, run.stream()>>>(a, b, run["a"], run["b"]); });
  run.step("subtract_kernel", "R*C",
           [&] { subtract_kernel<<<blocks, kBlock, 0, run.stream()>>>(matrix(run, "out"), a, b); });
}

static void run_broadcast(Run& run) {
  const dim3 blocks = blocks_for(run["R"], run["C"]);
  run.step("broadcast_kernel", "R*C", [&] {
    broadcast_kernel<<<blocks, kBlock, 0, run.stream()>>>(matrix(run, "out"), run["a"], run["b"]);
  });
}

const workbook::Launchers workbook::launchers = {{"expanded", run_expanded}, {"broadcast", run_broadcast}};
