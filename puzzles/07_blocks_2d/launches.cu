// Puzzle 07, Blocks 2D: one kernel, launched with three shapes of a block.
#include <workbook/run.h>

#include <string>

#include "given.cuh"
#include "kernels.cu"

using workbook::Run;

static void launch(Run& run, dim3 block) {
  const int rows = run["R"], columns = run["C"];
  const Matrix out(run["out"], rows, columns);
  const ConstMatrix a(run["a"], rows, columns), b(run["b"], columns, rows);
  run.step("difference_kernel", "R*C",
           [&] { difference_kernel<<<grid_for(block, rows, columns), block, 0, run.stream()>>>(out, a, b); });
}

static void run_wide(Run& run) { launch(run, kWide); }
static void run_tall(Run& run) { launch(run, kTall); }
static void run_chosen(Run& run) {
  const dim3 block = chosen_block();
  run.demand(block.x * block.y * block.z == kThreads,
             "chosen_block() gives " + std::to_string(block.x) + " x " + std::to_string(block.y) +
                 " threads, but x times y is to be kThreads, " + std::to_string(kThreads) + ".");
  launch(run, block);
}

const workbook::Launchers workbook::launchers = {
    {"wide", run_wide}, {"tall", run_tall}, {"chosen", run_chosen}};
