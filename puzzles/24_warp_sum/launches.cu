// Puzzle 24, Warp sum: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_warp(Run& run) {
  run.step("center_warp_kernel", "2*R*C", [&] {
    center_warp_kernel<<<ceil_div(run["R"], kWarpsPerBlock), kBlockSize, 0, run.stream()>>>(
        run["out"], run["x"], run["R"], run["C"]);
  });
}

static void run_block(Run& run) {
  run.step("center_block_kernel", "2*R*C", [&] {
    center_block_kernel<<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["C"]);
  });
}

static void run_tree(Run& run) {
  run.step("center_tree_kernel", "2*R*C", [&] {
    center_tree_kernel<<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["C"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"warp", run_warp}, {"block", run_block}, {"tree", run_tree}};
