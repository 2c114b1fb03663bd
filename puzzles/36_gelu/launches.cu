// Puzzle 36, GELU: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

// Operations an element as the formula counts them: tanh and erf are more than one instruction, which the
// chapter counts apart.
const char *const kTanhForm = "9*N", *const kExactForm = "5*N";

static void run_chain(Run& run) {
  run.step("gelu_chain", kTanhForm, [&] {
    gelu_chain(Eager{run["N"], run.stream()},
               Chain{run["x"], run["half"], run["square"], run["cube"], run["cubic"], run["sum"],
                     run["inner"], run["tanh"], run["one_plus"], run["y"]});
  });
}

static void run_fused(Run& run) {
  const int blocks = ceil_div(run["N"], kBlockSize);
  run.step("fused_kernel", kTanhForm,
           [&] { fused_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["y"], run["x"], run["N"]); });
}

static void run_exact(Run& run) {
  const int blocks = ceil_div(run["N"], kBlockSize);
  run.step("exact_kernel", kExactForm,
           [&] { exact_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["exact"], run["x"], run["N"]); });
}

static void run_vector(Run& run) {
  const int blocks = ceil_div(run["N"], 4 * kBlockSize);  // the last thread may have fewer than four elements
  run.step("vector_kernel", kTanhForm,
           [&] { vector_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["y"], run["x"], run["N"]); });
}

const workbook::Launchers workbook::launchers = {
    {"chain", run_chain}, {"fused", run_fused}, {"exact", run_exact}, {"vector", run_vector}};
