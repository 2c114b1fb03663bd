// Puzzle 30, Profiling: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_columns(Run& run) {
  const dim3 grid(ceil_div(run["T"], kColumnsBlock), ceil_div(run["C"], kRun));
  run.step("columns_kernel", "63*T*C", [&] {
    columns_kernel<<<grid, kColumnsBlock, 0, run.stream()>>>(run["out"], run["x"], run["T"], run["C"]);
  });
}

static void run_across(Run& run) {
  const dim3 grid(ceil_div(run["C"], kAcross), ceil_div(run["T"], kDown)), block(kAcross, kDown);
  run.step("across_kernel", "63*T*C", [&] {
    across_kernel<<<grid, block, 0, run.stream()>>>(run["out"], run["x"], run["T"], run["C"]);
  });
}

using Tiles = void (*)(float4*, const float4*, int, int);

static void launch_tiles(Run& run, const char* name, Tiles kernel, int wide) {
  const int vectors = run["C/4"];
  const dim3 grid(ceil_div(vectors, wide), ceil_div(run["T"], kTile / wide));
  float* out = run["out"];
  const float* x = run["x"];
  run.step(name, "63*T*C", [&] {
    kernel<<<grid, kWarpSize, 0, run.stream()>>>(reinterpret_cast<float4*>(out),
                                                 reinterpret_cast<const float4*>(x), run["T"], vectors);
  });
}

static void run_thrash(Run& run) { launch_tiles(run, "thrash_kernel", thrash_kernel, kThrashWide); }
static void run_tiles(Run& run) {
  run.demand(tile_wide() <= kTile, "a tile is 1 to kTile float4 wide: see tile_wide()");
  launch_tiles(run, "tiles_kernel", tiles_kernel, tile_wide());
}

static void run_chain(Run& run) {
  run.step("chain_kernel", "2*T*C", [&] {
    chain_kernel<<<ceil_div(run["C"], kChainBlock), kChainBlock, 0, run.stream()>>>(run["out"], run["x"],
                                                                                    run["T"], run["C"]);
  });
}

static void run_ahead(Run& run) {
  run.demand(band_steps() >= 1, "a band has one step at least: see band_steps()");
  const dim3 grid(ceil_div(run["C"], kChainBlock), ceil_div(run["T"], band_steps()));
  run.step("ahead_kernel", "2*T*C", [&] {
    ahead_kernel<<<grid, kChainBlock, 0, run.stream()>>>(run["out"], run["x"], run["T"], run["C"],
                                                         band_steps());
  });
}

const workbook::Launchers workbook::launchers = {{"columns", run_columns}, {"across", run_across},
                                                 {"thrash", run_thrash},   {"tiles", run_tiles},
                                                 {"chain", run_chain},     {"ahead", run_ahead}};
