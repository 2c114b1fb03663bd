// Puzzle 08, Shared memory: its two launches, which differ in the kernel alone.
#include <workbook/run.h>

#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

/// A multiply and an add for each pair of samples: a frame of n has n of lag 0, n - 1 of lag 1, down to 1.
static double flops_of(int size) {
  const double tail = size % kFrame;
  return size / kFrame * (kFrame * (kFrame + 1.0)) + tail * (tail + 1.0);
}

static void run_global(Run& run) {
  const int size = run["N"];
  run.step("correlate_global_kernel", flops_of(size), [&] {
    const int frames = ceil_div(size, kFrame);
    correlate_global_kernel<<<frames, kFrame, 0, run.stream()>>>(run["out"], run["x"], size);
  });
}

static void run_shared(Run& run) {
  const int size = run["N"];
  run.step("correlate_shared_kernel", flops_of(size), [&] {
    const int frames = ceil_div(size, kFrame);
    correlate_shared_kernel<<<frames, kFrame, 0, run.stream()>>>(run["out"], run["x"], size);
  });
}

const workbook::Launchers workbook::launchers = {{"global", run_global}, {"shared", run_shared}};
