// Puzzle 24, Warp sum: its launches.
#include <workbook/run.h>

#include "kernels.cu"

namespace {

void run_warp_sum(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "warp_sum_kernel", .flops = 1.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;
    warp_sum_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"warp-sum", run_warp_sum}};
