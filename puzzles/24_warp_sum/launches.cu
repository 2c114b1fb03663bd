// Puzzle 24, Warp sum: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

// An addition for the sum and a subtraction, an element.
double flops(const Run& run) { return 2.0 * run.dim("R") * run.dim("C"); }

void run_warp(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "center_warp_kernel", .flops = flops(run)}, [&] {
    const int blocks = (rows + kWarpsPerBlock - 1) / kWarpsPerBlock;
    center_warp_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("x"), rows,
                                                                columns);
  });
}

void run_block(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "center_block_kernel", .flops = flops(run)}, [&] {
    center_block_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("x"), columns);
  });
}

void run_tree(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "center_tree_kernel", .flops = flops(run)}, [&] {
    center_tree_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("x"), columns);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"warp", run_warp}, {"block", run_block}, {"tree", run_tree}};
