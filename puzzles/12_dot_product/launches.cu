// Puzzle 12, Dot product: the launches of its variants.
#include <workbook/run.h>

#include "given.h"
#include "kernels.cu"

using workbook::Run;

static void launch_atomic(Run& run, int blocks) {
  run.step("dot_atomic_kernel", "2*N", [&] {
    float* out = run["out"];
    cudaMemsetAsync(out, 0, sizeof(float), run.stream());  // before the kernel, so before all of its blocks
    dot_atomic_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(out, run["a"], run["b"], run["N"]);
  });
}

static void run_atomic(Run& run) { launch_atomic(run, run["blocks"]); }
static void run_each(Run& run) { launch_atomic(run, workbook::ceil_div(run["N"], kBlockSize)); }

static void run_two_stage(Run& run) {
  const int blocks = run["blocks"];
  run.step("dot_partial_kernel", "2*N", [&] {
    dot_partial_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["partial"], run["a"], run["b"], run["N"]);
  });
  run.step("add_partials_kernel", "blocks", [&] {
    add_partials_kernel<<<1, kBlockSize, 0, run.stream()>>>(run["out"], run["partial"], blocks);
  });
}

const workbook::Launchers workbook::launchers = {
    {"atomic", run_atomic}, {"two-stage", run_two_stage}, {"each", run_each}};
