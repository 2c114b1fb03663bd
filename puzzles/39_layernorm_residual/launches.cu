// Puzzle 39, LayerNorm + residual: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

// An element: one addition for the mean; a difference, a square, an addition for the variance; a difference,
// two products and two additions for the result.
const char* const kFlops = "9*B*S*H";

static void run_unfused(Run& run) {
  run.step("layernorm_kernel", "8*B*S*H", [&] {
    layernorm_kernel<<<run.dim("B*S"), kBlockSize, 0, run.stream()>>>(run["normalized"], run["x"],
                                                                      run["gamma"], run["beta"], run["H"]);
  });
  run.step("add_kernel", "B*S*H", [&] {
    add_kernel<<<ceil_div(run["B*S*H"], kBlockSize), kBlockSize, 0, run.stream()>>>(
        run["out"], run["normalized"], run["residual"], run["B*S*H"]);
  });
}

static void run_fused(Run& run) {
  run.step("fused_kernel", kFlops, [&] {
    fused_kernel<<<run.dim("B*S"), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["residual"],
                                                                  run["gamma"], run["beta"], run["H"]);
  });
}

static void run_welford(Run& run) {
  run.step("welford_kernel", kFlops, [&] {
    welford_kernel<<<run.dim("B*S"), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["residual"],
                                                                    run["gamma"], run["beta"], run["H"]);
  });
}

template <class T, int N, int kItems>
static void launch_vector(Run& run) {
  const int threads = ceil_div(run["H"] / N, kItems * kWarpSize) * kWarpSize;  // whole warps
  run.step("vector_kernel", kFlops, [&] {
    vector_kernel<T, N, kItems><<<run.dim("B*S"), threads, 0, run.stream()>>>(
        run["out"], run["x"], run["residual"], run["gamma"], run["beta"], run["H"]);
  });
}

// Vectors of 16 bytes where rows are whole numbers of them, else of one element: an address has to be a
// multiple of the vector's size.
template <class T>
static void run_vector(Run& run) {
  constexpr int kWidth = 16 / sizeof(T);
  if (run["H"] % kWidth == 0) return launch_vector<T, kWidth, 2>(run);
  launch_vector<T, 1, 8>(run);
}

// The same kernel with a load for each half: to compare with.
static void run_scalar_f16(Run& run) { launch_vector<half, 1, 8>(run); }

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused},
                                                 {"fused", run_fused},
                                                 {"welford", run_welford},
                                                 {"vector", run_vector<float>},
                                                 {"vector-f16", run_vector<half>},
                                                 {"scalar-f16", run_scalar_f16},
                                                 {"vector-bf16", run_vector<__nv_bfloat16>}};
