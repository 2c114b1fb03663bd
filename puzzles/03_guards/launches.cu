// Puzzle 03, Guards: its two launches.
#include <workbook/run.h>

#include "kernels.cu"

namespace {

void run_near(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "near_kernel", .flops = 1.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;
    near_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("near"), run.tensor("a"), size);
  });
}

void run_far(workbook::Run& run) {
  const int size = run.dim("N"), distance = run.dim("D");
  run.step({.name = "far_kernel", .flops = 1.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;
    far_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("far"), run.tensor("a"), size, distance);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"near", run_near}, {"far", run_far}};
