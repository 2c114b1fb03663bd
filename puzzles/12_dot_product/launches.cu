// Puzzle 12, Dot product: the launches of its variants.
#include <workbook/run.h>

#include "given.h"
#include "kernels.cu"

namespace {

using workbook::Run;

double flops(int size) { return 2.0 * size; }

void launch_atomic(Run& run, int blocks) {
  const int size = run.dim("N");
  run.step({.name = "dot_atomic_kernel", .flops = flops(size)}, [&] {
    float* out = run.tensor("out");
    cudaMemsetAsync(out, 0, sizeof(float), run.stream());  // before the kernel, so before all of its blocks
    dot_atomic_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(out, run.tensor("a"), run.tensor("b"), size);
  });
}

void run_atomic(Run& run) { launch_atomic(run, run.dim("blocks")); }

void run_each(Run& run) { launch_atomic(run, (run.dim("N") + kBlockSize - 1) / kBlockSize); }

void run_two_stage(Run& run) {
  const int size = run.dim("N");
  const int blocks = run.dim("blocks");
  float* partial = run.tensor("partial");
  run.step({.name = "dot_partial_kernel", .flops = flops(size)}, [&] {
    dot_partial_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(partial, run.tensor("a"), run.tensor("b"),
                                                                size);
  });
  run.step({.name = "add_partials_kernel", .flops = 1.0 * blocks}, [&] {
    add_partials_kernel<<<1, kBlockSize, 0, run.stream()>>>(run.tensor("out"), partial, blocks);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"atomic", run_atomic}, {"two-stage", run_two_stage}, {"each", run_each}};
