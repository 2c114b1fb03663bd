// Puzzle 23, Functional patterns: the launches and calls of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static int blocks(Run& run) { return ceil_div(run["N"], kItems * kBlockSize); }

static void run_loop(Run& run) {
  run.step("loop_kernel", "4*N", [&] {
    loop_kernel<<<blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["y"], run["N"]);
  });
}

template <class Place>
static void run_tile(Run& run) {
  run.step("tile_kernel", "4*N", [&] {
    tile_kernel<Place>
        <<<blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["y"], run["N"], Place());
  });
}

static void run_vector(Run& run) {
  run.step("vector_kernel", "4*N", [&] {
    vector_kernel<<<blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["y"], run["N"]);
  });
}

template <class Function>
static void launch_transform(Run& run, Function function) {
  transform_kernel<Function>
      <<<blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["y"], run["N"], function);
}

static void run_functor(Run& run) {
  run.step("transform_kernel", "4*N", [&] { launch_transform(run, composed()); });
}

static void run_calls(Run& run) {
  run.step("three_calls", "4*N",
           [&] { three_calls(run["out"], run["x"], run["y"], run["N"], run.stream()); });
}

static void run_thrust(Run& run) {
  run.step("by_thrust", "4*N", [&] { by_thrust(run["out"], run["x"], run["y"], run["N"], run.stream()); });
}

static void run_cub(Run& run) {
  run.step("by_cub", "4*N", [&] {
    const cudaError_t status = by_cub(run["out"], run["x"], run["y"], run["N"], run.stream());
    run.demand(status == cudaSuccess, "by_cub returned an error: it returns what CUB's call returns");
  });
}

const workbook::Launchers workbook::launchers = {{"loop", run_loop},
                                                 {"consecutive", run_tile<Consecutive>},
                                                 {"striped", run_tile<Striped>},
                                                 {"vector", run_vector},
                                                 {"functor", run_functor},
                                                 {"calls", run_calls},
                                                 {"thrust", run_thrust},
                                                 {"cub", run_cub}};
