// Puzzle 32, Bank conflicts: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

using Transpose = void (*)(half*, const half*, int, int);

static void launch_transpose(Run& run, const char* name, Transpose kernel) {
  const dim3 grid(ceil_div(run["C"], kTile), ceil_div(run["R"], kTile)), block(kTile, kTileThreadRows);
  run.step(name, [&] { kernel<<<grid, block, 0, run.stream()>>>(run["out"], run["x"], run["R"], run["C"]); });
}

template <int kRow>
static void run_transpose(Run& run) {
  launch_transpose(run, "transpose_kernel", transpose_kernel<kRow>);
}

static void run_swizzled(Run& run) {
  launch_transpose(run, "transpose_swizzled_kernel", transpose_swizzled_kernel);
}

template <bool kSequential>
static void run_sums(Run& run) {
  run.step("row_sums_kernel", "R*C", [&] {
    row_sums_kernel<kSequential>
        <<<ceil_div(run["R"], kWarpsPerBlock), kWarpsPerBlock * kWarpSize, 0, run.stream()>>>(
            run["out"], run["x"], run["R"], run["C"]);
  });
}

template <class Vector, int kRow>
static void run_linear(Run& run) {
  run.step("linear_kernel", "2*32*32*M", [&] {
    linear_kernel<Vector, kRow>
        <<<ceil_div(run["M"], kFeatures), dim3(kFeatures, kFeatures), 0, run.stream()>>>(run["out"], run["x"],
                                                                                         run["w"], run["M"]);
  });
}

const workbook::Launchers workbook::launchers = {{"conflicts", run_transpose<kTile>},
                                                 {"padded", run_transpose<padded_row()>},
                                                 {"swizzled", run_swizzled},
                                                 {"interleaved", run_sums<false>},
                                                 {"sequential", run_sums<true>},
                                                 {"conflicts64", run_linear<float2, kVectors<float2>>},
                                                 {"conflicts128", run_linear<float4, kVectors<float4>>},
                                                 {"wide64", run_linear<float2, wide_row<float2>()>},
                                                 {"wide128", run_linear<float4, wide_row<float4>()>}};
