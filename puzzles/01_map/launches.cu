// Puzzle 01, Map: its one launch.
#include <workbook/run.h>

#include "kernels.cu"

static void run_map(workbook::Run& run) {
  const int size = run["N"];
  const int blocks = (size + kBlockSize - 1) / kBlockSize;  // rounded up: enough for the last elements too
  run.step("map_kernel", "N",
           [&] { map_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["out"], run["a"], size); });
}

const workbook::Launchers workbook::launchers = {{"map", run_map}};
