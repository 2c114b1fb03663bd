// Puzzle 02, Zip: its two launches, alike but for the kernel.
#include <workbook/run.h>

#include "given.h"
#include "kernels.cu"

namespace {

void run_zip(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "zip_kernel", .flops = 2.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;
    zip_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("once"), run.tensor("a"), run.tensor("b"),
                                                        kAlpha, size);
  });
}

void run_steps(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "steps_kernel", .flops = 2.0 * kSteps * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;
    steps_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("often"), run.tensor("a"),
                                                          run.tensor("b"), kAlpha, size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"zip", run_zip},
                                                                       {"steps", run_steps}};
