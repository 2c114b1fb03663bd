// Puzzle 01, Map: its one launch.
#include <workbook/run.h>

#include "kernels.cu"

namespace {

void run_map(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "map_kernel", .flops = 1.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;  // rounded up: enough for the last elements too
    map_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"map", run_map}};
