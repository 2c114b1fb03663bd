// Puzzle 25, Warp communication: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

using Kernel = void (*)(float*, const float*, int);

/// A block of kBlockSize threads has `results` elements of out. `flops`: of the whole step.
static void launch(Run& run, const char* name, const char* flops, Kernel kernel, int results) {
  run.step(name, flops, [&] {
    kernel<<<ceil_div(run["N"], results), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["N"]);
  });
}

static void run_shuffle(Run& run) {
  launch(run, "ring_shuffle_kernel", "4*16*N*4/3", ring_shuffle_kernel, kKept * kWarpsPerBlock);
}

static void run_shared(Run& run) {
  launch(run, "ring_shared_kernel", "4*16*N*8/7", ring_shared_kernel, kBlockSize - 2 * kSteps);
}

static void run_edges(Run& run) {
  launch(run, "ring_edges_kernel", "4*16*N*4/3", ring_edges_kernel, kKept * kWarpsPerBlock);
}

static void run_doubling(Run& run) {
  launch(run, "average_doubling_kernel", "9*N", average_doubling_kernel, kChunks * kBlockSize);
}

static void run_window(Run& run) {
  launch(run, "average_window_kernel", "65*N", average_window_kernel, kBlockSize);
}

static void run_broadcast(Run& run) {
  run.step("frame_broadcast_kernel", [&] {
    frame_broadcast_kernel<<<ceil_div(run["F"], kWarpsPerBlock), kBlockSize, 0, run.stream()>>>(
        run["out"], run["peaks"], run["x"], run["F"]);
  });
}

static void run_tree(Run& run) {
  run.step("frame_tree_kernel", [&] {
    frame_tree_kernel<<<run.dim("F"), kFrame, 0, run.stream()>>>(run["out"], run["peaks"], run["x"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"shuffle", run_shuffle}, {"shared", run_shared},       {"edges", run_edges}, {"doubling", run_doubling},
    {"window", run_window},   {"broadcast", run_broadcast}, {"tree", run_tree}};
