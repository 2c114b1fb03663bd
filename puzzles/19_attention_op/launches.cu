// Puzzle 19, Attention op: the launches of its three variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

/// Scores, softmax and weighted mean of `queries` queries, in operations.
double flops(const Run& run, double queries) {
  const double pairs = queries * run.dim("K");
  return 2.0 * pairs * run.dim("D") + 4.0 * pairs + 2.0 * pairs * run.dim("V");
}

void run_vector(Run& run) {
  run.step({.name = "attention_vector_kernel", .flops = flops(run, 1)}, [&] {
    attention_vector_kernel<<<1, kThreads, 0, run.stream()>>>(run.tensor("out"), run.tensor("q"),
                                                              run.tensor("k"), run.tensor("v"), run.dim("K"),
                                                              run.dim("D"), run.dim("V"));
  });
}

void run_unfused(Run& run) {
  run.step({.name = "attention_unfused", .flops = flops(run, run.dim("Q"))}, [&] {
    attention_unfused(run.tensor("out"), run.tensor("scores"), run.tensor("weights"), run.tensor("q"),
                      run.tensor("k"), run.tensor("v"), run.dim("Q"), run.dim("K"), run.dim("D"),
                      run.dim("V"), run.stream());
  });
}

void run_fused(Run& run) {
  run.step({.name = "attention_fused_kernel", .flops = flops(run, run.dim("Q"))}, [&] {
    attention_fused_kernel<<<ceil_div(run.dim("Q"), kOwn * kThreads / kWarpSize), kThreads, 0,
                             run.stream()>>>(run.tensor("out"), run.tensor("q"), run.tensor("k"),
                                             run.tensor("v"), run.dim("Q"), run.dim("K"), run.dim("D"),
                                             run.dim("V"));
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"vector", run_vector}, {"unfused", run_unfused}, {"fused", run_fused}};
