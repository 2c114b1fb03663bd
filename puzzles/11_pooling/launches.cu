// Puzzle 11, Pooling: the launches of its two variants.
#include <workbook/run.h>

#include "given.h"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_global(Run& run) {
  const int size = run["N"], blocks = ceil_div(size, kBlockSize);
  run.step("pool_global_kernel", "3*N",
           [&] { pool_global_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["out"], run["a"], size); });
}

static void run_shared(Run& run) {
  const int size = run["N"], blocks = ceil_div(size, kBlockSize);
  run.step("pool_shared_kernel", "3*N",
           [&] { pool_shared_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["out"], run["a"], size); });
}

const workbook::Launchers workbook::launchers = {{"global", run_global}, {"shared", run_shared}};
