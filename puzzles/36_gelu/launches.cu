// Puzzle 36, GELU: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Operations an element as the formula counts them: tanh and erf are more than one instruction, which the
// chapter counts apart.
constexpr double kTanhForm = 9.0;
constexpr double kExactForm = 5.0;

void run_chain(Run& run) {
  const int size = run.dim("N");
  run.step({.name = "gelu_chain", .flops = kTanhForm * size}, [&] {
    gelu_chain(Eager{size, run.stream()},
               Chain{run.tensor("x"), run.tensor("half"), run.tensor("square"), run.tensor("cube"),
                     run.tensor("cubic"), run.tensor("sum"), run.tensor("inner"), run.tensor("tanh"),
                     run.tensor("one_plus"), run.tensor("y")});
  });
}

void run_fused(Run& run) {
  const int size = run.dim("N");
  run.step({.name = "fused_kernel", .flops = kTanhForm * size}, [&] {
    fused_kernel<<<ceil_div(size, kBlockSize), kBlockSize, 0, run.stream()>>>(run.tensor("y"),
                                                                              run.tensor("x"), size);
  });
}

void run_exact(Run& run) {
  const int size = run.dim("N");
  run.step({.name = "exact_kernel", .flops = kExactForm * size}, [&] {
    exact_kernel<<<ceil_div(size, kBlockSize), kBlockSize, 0, run.stream()>>>(run.tensor("exact"),
                                                                              run.tensor("x"), size);
  });
}

void run_vector(Run& run) {
  const int size = run.dim("N");
  const int blocks =
      ceil_div(ceil_div(size, 4), kBlockSize);  // the last thread may have fewer than four elements
  run.step({.name = "vector_kernel", .flops = kTanhForm * size}, [&] {
    vector_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("y"), run.tensor("x"), size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"chain", run_chain}, {"fused", run_fused}, {"exact", run_exact}, {"vector", run_vector}};
