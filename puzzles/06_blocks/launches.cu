// Puzzle 06, Blocks: one kernel, launched with three numbers of blocks.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

void launch(Run& run, int blocks) {
  const int size = run.dim("N");
  run.step({.name = "stride_kernel", .flops = 2.0 * size},
           [&] { stride_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("x"), size); });
}

void run_few(Run& run) { launch(run, kFewBlocks); }

void run_many(Run& run) { launch(run, (run.dim("N") + kBlockSize - 1) / kBlockSize); }

void run_wave(Run& run) { launch(run, blocks_of_a_wave(run.dim("N"))); }

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"few", run_few}, {"many", run_many}, {"wave", run_wave}};
