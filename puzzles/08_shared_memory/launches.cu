// Puzzle 08, Shared memory: its two launches, which differ in the kernel alone.
#include <workbook/run.h>

#include "kernels.cu"

namespace {

/// A multiply and an add for each pair of samples: a frame of n has n of lag 0, n - 1 of lag 1, down to 1.
double flops_of(int size) {
  const double tail = size % kFrame;
  return size / kFrame * (kFrame * (kFrame + 1.0)) + tail * (tail + 1.0);
}

void run_global(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "correlate_global_kernel", .flops = flops_of(size)}, [&] {
    const int frames = (size + kFrame - 1) / kFrame;
    correlate_global_kernel<<<frames, kFrame, 0, run.stream()>>>(run.tensor("out"), run.tensor("x"), size);
  });
}

void run_shared(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "correlate_shared_kernel", .flops = flops_of(size)}, [&] {
    const int frames = (size + kFrame - 1) / kFrame;
    correlate_shared_kernel<<<frames, kFrame, 0, run.stream()>>>(run.tensor("out"), run.tensor("x"), size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"global", run_global},
                                                                       {"shared", run_shared}};
