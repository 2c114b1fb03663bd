// Puzzle 19, Attention op: the launches of its three variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::Run;

// Operations for each query and key: of a score, of its weight, of the weighted mean.
const char *const kOne = "K*(2*D+4+2*V)", *const kAll = "Q*K*(2*D+4+2*V)";

static void run_vector(Run& run) {
  run.step("attention_vector_kernel", kOne, [&] {
    attention_vector_kernel<<<1, kThreads, 0, run.stream()>>>(run["out"], run["q"], run["k"], run["v"],
                                                              run["K"], run["D"], run["V"]);
  });
}

static void run_unfused(Run& run) {
  run.step("attention_unfused", kAll, [&] {
    attention_unfused(run["out"], run["scores"], run["weights"], run["q"], run["k"], run["v"], run["Q"],
                      run["K"], run["D"], run["V"], run.stream());
  });
}

static void run_fused(Run& run) {
  const int blocks = ceil_div(run.dim("Q"), kOwn * kThreads / kWarpSize);
  run.step("attention_fused_kernel", kAll, [&] {
    attention_fused_kernel<<<blocks, kThreads, 0, run.stream()>>>(run["out"], run["q"], run["k"], run["v"],
                                                                  run["Q"], run["K"], run["D"], run["V"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"vector", run_vector}, {"unfused", run_unfused}, {"fused", run_fused}};
