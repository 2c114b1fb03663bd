// Puzzle 14, Prefix sum: one launch, three, and one again.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_simple(Run& run) {
  const int blocks = ceil_div(run["N"], kBlockSize);
  run.step("scan_blocks_kernel", [&] {
    scan_blocks_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run["out"], run["a"], run["N"]);
  });
}

static void run_complete(Run& run) {
  const int pieces = ceil_div(run["N"], kPieceSize);
  run.step("scan_pieces_kernel", [&] {
    scan_pieces_kernel<<<pieces, kBlockSize, 0, run.stream()>>>(run["out"], run["sums"], run["a"], run["N"]);
  });
  run.step("scan_sums_kernel", [&] {
    scan_sums_kernel<<<1, kBlockSize, 0, run.stream()>>>(run["offsets"], run["sums"], pieces);
  });
  run.step("add_offsets_kernel", [&] {
    add_offsets_kernel<<<pieces, kBlockSize, 0, run.stream()>>>(run["out"], run["offsets"], run["N"]);
  });
}

static void run_single_pass(Run& run) {
  const int pieces = ceil_div(run["N"], kPieceSize);
  long long* states = run["states"];
  run.step("single_pass_kernel", [&] {
    // All bits 0 is kNothing: what the launch before has published must not be taken for this one's.
    cudaMemsetAsync(states, 0, sizeof(long long) * pieces, run.stream());
    single_pass_kernel<<<pieces, kBlockSize, 0, run.stream()>>>(run["out"], states, run["next"], run["a"],
                                                                run["N"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"simple", run_simple}, {"complete", run_complete}, {"single-pass", run_single_pass}};
