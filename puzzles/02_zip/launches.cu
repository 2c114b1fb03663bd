// Puzzle 02, Zip: its two launches, alike but for the kernel.
#include <workbook/run.h>

#include "given.h"
#include "kernels.cu"

static void run_zip(workbook::Run& run) {
  const int size = run["N"], blocks = (size + kBlockSize - 1) / kBlockSize;
  run.step("zip_kernel", "2*N", [&] {
    zip_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["once"], run["a"], run["b"], kAlpha, size);
  });
}

static void run_steps(workbook::Run& run) {
  const int size = run["N"], blocks = (size + kBlockSize - 1) / kBlockSize;
  run.step("steps_kernel", 2.0 * kSteps * size, [&] {
    steps_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["often"], run["a"], run["b"], kAlpha, size);
  });
}

const workbook::Launchers workbook::launchers = {{"zip", run_zip}, {"steps", run_steps}};
