// Puzzle 28, Asynchronous copy and overlap: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::Run;

using Kernel = void (*)(float* out, const float* x, int rows, int columns);

/// A block a terrain. A step of a path is an addition and a comparison, for each column that it may come
/// from.
static void cross_terrains(Run& run, const char* name, Kernel kernel) {
  run.step(name, "T*R*C*51", [&] {
    kernel<<<run.dim("T"), kColumns, 0, run.stream()>>>(run["out"], run["x"], run["R"], run["C"]);
  });
}

static void run_plain(Run& run) { cross_terrains(run, "plain_kernel", plain_kernel); }

template <int kStages>
static void run_stages(Run& run) {
  cross_terrains(run, "stages_kernel", stages_kernel<kStages>);
}

static void run_pipeline(Run& run) { cross_terrains(run, "pipeline_kernel", pipeline_kernel); }

const workbook::Launchers workbook::launchers = {{"plain", run_plain},
                                                 {"one-stage", run_stages<1>},
                                                 {"two-stages", run_stages<2>},
                                                 {"four-stages", run_stages<kDepth>},
                                                 {"pipeline", run_pipeline}};
