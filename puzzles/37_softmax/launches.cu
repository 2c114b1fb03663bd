// Puzzle 37, Softmax again: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

// An element: one operation in each of five passes; where an exponential is computed again, or a sum is
// rescaled, more.
double flops(const Run& run, double an_element) { return an_element * run.dim("R") * run.dim("C"); }

void run_five(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "row_max_kernel", .flops = flops(run, 1)}, [&] {
    row_max_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("maxima"), run.tensor("x"), columns);
  });
  run.step({.name = "subtract_kernel", .flops = flops(run, 1)}, [&] {
    subtract_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("shifted"), run.tensor("x"),
                                                           run.tensor("maxima"), columns);
  });
  run.step({.name = "exp_kernel", .flops = flops(run, 1)}, [&] {
    exp_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("exponentials"), run.tensor("shifted"),
                                                      columns);
  });
  run.step({.name = "row_sum_kernel", .flops = flops(run, 1)}, [&] {
    row_sum_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("sums"), run.tensor("exponentials"),
                                                          columns);
  });
  run.step({.name = "divide_kernel", .flops = flops(run, 1)}, [&] {
    divide_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("y"), run.tensor("exponentials"),
                                                         run.tensor("sums"), columns);
  });
}

void run_three(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "row_max_kernel", .flops = flops(run, 1)}, [&] {
    row_max_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("maxima"), run.tensor("x"), columns);
  });
  run.step({.name = "row_sum_exp_kernel", .flops = flops(run, 3)}, [&] {
    row_sum_exp_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run.tensor("sums"), run.tensor("x"),
                                                              run.tensor("maxima"), columns);
  });
  run.step({.name = "normalize_kernel", .flops = flops(run, 3)}, [&] {
    normalize_kernel<<<rows, kBlockSize, 0, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), run.tensor("maxima"), run.tensor("sums"), columns);
  });
}

void run_online(Run& run) {
  const int rows = run.dim("R"), columns = run.dim("C");
  run.step({.name = "online_kernel", .flops = flops(run, 11)}, [&] {
    online_kernel<<<rows, kBlockSize, sizeof(float) * columns, run.stream()>>>(run.tensor("y"),
                                                                               run.tensor("x"), columns);
  });
}

template <int kVectors>
void run_registers_of(Run& run, int rows, int vectors) {
  run.step({.name = "registers_kernel", .flops = flops(run, 5)}, [&] {
    float* y = run.tensor("y");
    const float* x = run.tensor("x");
    registers_kernel<kVectors><<<rows, kRowThreads, 0, run.stream()>>>(
        reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(x), vectors);
  });
}

void run_registers(Run& run) {
  const int rows = run.dim("R"), vectors = run.dim("C/4");
  if (vectors <= kRowThreads) return run_registers_of<1>(run, rows, vectors);
  if (vectors <= 2 * kRowThreads) return run_registers_of<2>(run, rows, vectors);
  if (vectors <= 4 * kRowThreads) return run_registers_of<4>(run, rows, vectors);
  run_registers_of<8>(run, rows, vectors);
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"five", run_five}, {"three", run_three}, {"online", run_online}, {"registers", run_registers}};
