// Puzzle 06, Blocks: one kernel, launched with three numbers of blocks.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::Run;

static void launch(Run& run, int blocks) {
  run.step("stride_kernel", "2*N",
           [&] { stride_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["x"], run["N"]); });
}

static void run_few(Run& run) { launch(run, kFewBlocks); }
static void run_many(Run& run) { launch(run, workbook::ceil_div(run["N"], kBlockSize)); }
static void run_wave(Run& run) { launch(run, blocks_of_a_wave(run["N"])); }

const workbook::Launchers workbook::launchers = {{"few", run_few}, {"many", run_many}, {"wave", run_wave}};
