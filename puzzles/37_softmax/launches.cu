// Puzzle 37, Softmax again: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::Run;

// The operations of an element: one in each of five passes; where an exponential is computed again, or a sum
// is rescaled, more.

static void row_max(Run& run) {
  run.step("row_max_kernel", "R*C", [&] {
    row_max_kernel<<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["maxima"], run["x"], run["C"]);
  });
}

static void run_five(Run& run) {
  const int rows = run["R"], columns = run["C"];
  row_max(run);
  run.step("subtract_kernel", "R*C", [&] {
    subtract_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run["shifted"], run["x"], run["maxima"], columns);
  });
  run.step("exp_kernel", "R*C", [&] {
    exp_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run["exponentials"], run["shifted"], columns);
  });
  run.step("row_sum_kernel", "R*C", [&] {
    row_sum_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run["sums"], run["exponentials"], columns);
  });
  run.step("divide_kernel", "R*C", [&] {
    divide_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run["y"], run["exponentials"], run["sums"], columns);
  });
}

static void run_three(Run& run) {
  const int rows = run["R"], columns = run["C"];
  row_max(run);
  run.step("row_sum_exp_kernel", "3*R*C", [&] {
    row_sum_exp_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run["sums"], run["x"], run["maxima"], columns);
  });
  run.step("normalize_kernel", "3*R*C", [&] {
    normalize_kernel<<<rows, kBlockSize, 0, run.stream()>>>(run["y"], run["x"], run["maxima"], run["sums"],
                                                            columns);
  });
}

static void run_online(Run& run) {
  const int columns = run["C"];
  run.step("online_kernel", "11*R*C", [&] {
    online_kernel<<<run.dim("R"), kBlockSize, sizeof(float) * columns, run.stream()>>>(run["y"], run["x"],
                                                                                       columns);
  });
}

template <int kVectors>
static void run_registers_of(Run& run, int rows, int vectors) {
  run.step("registers_kernel", "5*R*C", [&] {
    float* y = run["y"];
    const float* x = run["x"];
    registers_kernel<kVectors><<<rows, kRowThreads, 0, run.stream()>>>(
        reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(x), vectors);
  });
}

static void run_registers(Run& run) {
  const int rows = run["R"], vectors = run.dim("C/4");
  if (vectors <= kRowThreads) return run_registers_of<1>(run, rows, vectors);
  if (vectors <= 2 * kRowThreads) return run_registers_of<2>(run, rows, vectors);
  if (vectors <= 4 * kRowThreads) return run_registers_of<4>(run, rows, vectors);
  run_registers_of<8>(run, rows, vectors);
}

const workbook::Launchers workbook::launchers = {
    {"five", run_five}, {"three", run_three}, {"online", run_online}, {"registers", run_registers}};
