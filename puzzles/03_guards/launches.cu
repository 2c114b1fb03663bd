// Puzzle 03, Guards: its two launches.
#include <workbook/run.h>

#include "kernels.cu"

static void run_near(workbook::Run& run) {
  const int size = run["N"], blocks = (size + kBlockSize - 1) / kBlockSize;
  run.step("near_kernel", "N",
           [&] { near_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["near"], run["a"], size); });
}

static void run_far(workbook::Run& run) {
  const int size = run["N"], blocks = (size + kBlockSize - 1) / kBlockSize;
  run.step("far_kernel", "N", [&] {
    far_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["far"], run["a"], size, run["D"]);
  });
}

const workbook::Launchers workbook::launchers = {{"near", run_near}, {"far", run_far}};
