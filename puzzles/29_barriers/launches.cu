// Puzzle 29, Barriers: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

using Filter = void (*)(float*, const float*, const float*, int, int);

template <Filter kKernel, int kThreads>
static void run_filter(Run& run, const char* name) {
  const int recordings = run["G"];
  run.step(name, "3*G*S*C", [&] {
    kKernel<<<recordings, kThreads, 0, run.stream()>>>(run["out"], run["x"], run["rate"], run["S"], run["C"]);
  });
}

static void run_lockstep(Run& run) { run_filter<lockstep_kernel, kChannels>(run, "lockstep_kernel"); }
static void run_split(Run& run) { run_filter<split_kernel, kChannels>(run, "split_kernel"); }
static void run_pipeline(Run& run) {
  run_filter<pipeline_kernel, kChannels + kProducers>(run, "pipeline_kernel");
}

// From u to spare and out in turns, so that the last step's values are in out.
static void run_launches(Run& run) {
  run.step("step_kernel", "5*N*K", [&] {
    const float* from = run["u"];
    for (int left = run["K"]; left > 0; --left) {
      float* to = left % 2 == 1 ? run["out"] : run["spare"];
      step_kernel<<<ceil_div(run["N"], kTileCells), kTileCells, 0, run.stream()>>>(to, from, run["N"]);
      from = to;
    }
  });
}

using Bar = void (*)(float*, float*, const float*, int, int);

// As many blocks as have work, but no more than the GPU holds at once: they wait for each other.
static int blocks_at_once(Bar kernel, int wanted) {
  int device = 0, processors = 0, on_each = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, kernel, kTileCells, 0);
  return wanted < processors * on_each ? wanted : processors * on_each;
}

static void run_cooperative(Run& run, const char* name, Bar kernel, int cells_a_block) {
  run.step(name, "5*N*K", [&] {
    float *out = run["out"], *spare = run["spare"];
    const float* u = run["u"];
    int size = run["N"], steps = run["K"];
    void* arguments[] = {&out, &spare, &u, &size, &steps};
    const int blocks = blocks_at_once(kernel, ceil_div(size, cells_a_block));
    cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(kTileCells), arguments, 0, run.stream());
  });
}

static void run_grid(Run& run) { run_cooperative(run, "grid_kernel", grid_kernel, kTileCells); }
static void run_halo(Run& run) { run_cooperative(run, "halo_kernel", halo_kernel, kOwnCells); }

const workbook::Launchers workbook::launchers = {{"lockstep", run_lockstep}, {"split", run_split},
                                                 {"pipeline", run_pipeline}, {"launches", run_launches},
                                                 {"grid", run_grid},         {"halo", run_halo}};
