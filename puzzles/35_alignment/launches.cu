// Puzzle 35, Alignment and vector width: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

template <class Vector>
static void launch_map(Run& run, int block, int skipped) {
  run.step("map_kernel", "N", [&] {
    const int size = run["N"], threads = size / kFloats<Vector> + size % kFloats<Vector>;
    float* out = run["out"];
    const float* a = run["a"];
    map_kernel<Vector>
        <<<ceil_div(threads, block), block, 0, run.stream()>>>(out + skipped, a + skipped, size);
  });
}

static void run_map(Run& run) { launch_map<float>(run, kFirstBlock, 0); }
template <class Vector>
static void run_wide(Run& run) {
  launch_map<Vector>(run, kBlock, 0);
}
static void run_slice4(Run& run) { launch_map<float>(run, kBlock, run["S"]); }

static void run_slice16(Run& run) {
  run.step("slice_kernel", "N", [&] {
    const int size = run["N"], skipped = run["S"];
    float* out = run["out"];
    const float* a = run["a"];
    slice_kernel<<<ceil_div(size / kFloats<float4> + 3, kBlock), kBlock, 0, run.stream()>>>(
        out + skipped, a + skipped, size);
  });
}

static int particle_blocks(Run& run) { return ceil_div(run["N"], kItems * kBlock); }

static void run_aos(Run& run) {
  run.step("aos_kernel", "N", [&] {
    const float* x = run["x"];
    aos_kernel<<<particle_blocks(run), kBlock, 0, run.stream()>>>(
        run["aos"], reinterpret_cast<const Particle*>(x), run["N"]);
  });
}

static void run_soa(Run& run) {
  run.step("soa_kernel", "N", [&] {
    soa_kernel<<<particle_blocks(run), kBlock, 0, run.stream()>>>(run["soa"], run["x"], run["N"]);
  });
}

const workbook::Launchers workbook::launchers = {{"map", run_map},
                                                 {"bytes4", run_wide<float>},
                                                 {"bytes8", run_wide<float2>},
                                                 {"bytes16", run_wide<float4>},
                                                 {"slice4", run_slice4},
                                                 {"slice16", run_slice16},
                                                 {"aos", run_aos},
                                                 {"soa", run_soa}};
