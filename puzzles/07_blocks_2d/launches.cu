// Puzzle 07, Blocks 2D: one kernel, launched with three shapes of a block.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

void launch(Run& run, dim3 block) {
  const int rows = run.dim("R"), columns = run.dim("C");
  const Matrix out(run.tensor("out"), rows, columns);
  const ConstMatrix a(run.tensor("a"), rows, columns);
  const ConstMatrix b(run.tensor("b"), columns, rows);
  run.step({.name = "difference_kernel", .flops = 1.0 * rows * columns},
           [&] { difference_kernel<<<grid_for(block, rows, columns), block, 0, run.stream()>>>(out, a, b); });
}

void run_wide(Run& run) { launch(run, kWide); }

void run_tall(Run& run) { launch(run, kTall); }

void run_chosen(Run& run) { launch(run, chosen_block()); }

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"wide", run_wide}, {"tall", run_tall}, {"chosen", run_chosen}};
