// Puzzle 39, LayerNorm + residual: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

// An element: one addition for the mean; a difference, a square, an addition for the variance; a difference,
// two products and two additions for the result.
double flops(const Run& run) { return 9.0 * run.dim("B*S") * run.dim("H"); }

void run_unfused(Run& run) {
  const int rows = run.dim("B*S"), hidden = run.dim("H");
  float* normalized = run.tensor("normalized");
  run.step({.name = "layernorm_kernel", .flops = flops(run) * 8.0 / 9.0}, [&] {
    layernorm_kernel<<<rows, kBlockSize, 0, run.stream()>>>(normalized, run.tensor("x"), run.tensor("gamma"),
                                                            run.tensor("beta"), hidden);
  });
  run.step({.name = "add_kernel", .flops = flops(run) / 9.0}, [&] {
    const int size = rows * hidden;
    add_kernel<<<ceil_div(size, kBlockSize), kBlockSize, 0, run.stream()>>>(run.tensor("out"), normalized,
                                                                            run.tensor("residual"), size);
  });
}

void run_fused(Run& run) {
  run.step({.name = "fused_kernel", .flops = flops(run)}, [&] {
    fused_kernel<<<run.dim("B*S"), kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("x"),
                                                                  run.tensor("residual"), run.tensor("gamma"),
                                                                  run.tensor("beta"), run.dim("H"));
  });
}

void run_welford(Run& run) {
  run.step({.name = "welford_kernel", .flops = flops(run)}, [&] {
    welford_kernel<<<run.dim("B*S"), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("x"), run.tensor("residual"), run.tensor("gamma"), run.tensor("beta"),
        run.dim("H"));
  });
}

template <class T, int N, int kItems>
void launch_vector(Run& run) {
  run.step({.name = "vector_kernel", .flops = flops(run)}, [&] {
    const int threads = ceil_div(run.dim("H") / N, kItems * kWarpSize) * kWarpSize;  // whole warps
    vector_kernel<T, N, kItems><<<run.dim("B*S"), threads, 0, run.stream()>>>(
        static_cast<T*>(run.tensor("out")), static_cast<const T*>(run.tensor("x")),
        static_cast<const T*>(run.tensor("residual")), static_cast<const T*>(run.tensor("gamma")),
        static_cast<const T*>(run.tensor("beta")), run.dim("H"));
  });
}

// Vectors of 16 bytes where rows are whole numbers of them, else of one element: an address has to be a
// multiple of the vector's size.
template <class T>
void run_vector(Run& run) {
  constexpr int kWidth = 16 / sizeof(T);
  if (run.dim("H") % kWidth == 0) {
    launch_vector<T, kWidth, 2>(run);
  } else {
    launch_vector<T, 1, 8>(run);
  }
}

// The same kernel with a load for each half: to compare with.
void run_scalar_f16(Run& run) { launch_vector<half, 1, 8>(run); }

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"unfused", run_unfused},
    {"fused", run_fused},
    {"welford", run_welford},
    {"vector", run_vector<float>},
    {"vector-f16", run_vector<half>},
    {"scalar-f16", run_scalar_f16},
    {"vector-bf16", run_vector<__nv_bfloat16>}};
