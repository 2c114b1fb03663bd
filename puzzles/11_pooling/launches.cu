// Puzzle 11, Pooling: the launches of its two variants.
#include <workbook/run.h>

#include "given.h"
#include "kernels.cu"

namespace {

// Two additions and a division an element.
double flops(int size) { return 3.0 * size; }

int blocks_for(int size) { return (size + kBlockSize - 1) / kBlockSize; }

void run_global(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "pool_global_kernel", .flops = flops(size)}, [&] {
    pool_global_kernel<<<blocks_for(size), kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"),
                                                                          size);
  });
}

void run_shared(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "pool_shared_kernel", .flops = flops(size)}, [&] {
    pool_shared_kernel<<<blocks_for(size), kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"),
                                                                          size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"global", run_global},
                                                                       {"shared", run_shared}};
