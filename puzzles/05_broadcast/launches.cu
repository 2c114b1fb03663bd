// Puzzle 05, Broadcast: the launches of its two variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Enough blocks for every element of [rows, columns].
dim3 blocks_for(int rows, int columns) {
  return dim3(ceil_div(columns, kBlockColumns), ceil_div(rows, kBlockRows));
}

const dim3 kBlock(kBlockColumns, kBlockRows);

void run_expanded(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  const Matrix a_matrix(run.tensor("a_matrix"), rows, columns);
  const Matrix b_matrix(run.tensor("b_matrix"), rows, columns);
  run.step({.name = "expand_kernel"}, [&] {
    expand_kernel<<<blocks_for(rows, columns), kBlock, 0, run.stream()>>>(a_matrix, b_matrix, run.tensor("a"),
                                                                          run.tensor("b"));
  });
  run.step({.name = "subtract_kernel", .flops = 1.0 * rows * columns}, [&] {
    subtract_kernel<<<blocks_for(rows, columns), kBlock, 0, run.stream()>>>(
        Matrix(run.tensor("out"), rows, columns), a_matrix, b_matrix);
  });
}

void run_broadcast(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "broadcast_kernel", .flops = 1.0 * rows * columns}, [&] {
    broadcast_kernel<<<blocks_for(rows, columns), kBlock, 0, run.stream()>>>(
        Matrix(run.tensor("out"), rows, columns), run.tensor("a"), run.tensor("b"));
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"expanded", run_expanded},
                                                                       {"broadcast", run_broadcast}};
