// Puzzle 14, Prefix sum: one launch, three, and one again.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

void run_simple(Run& run) {
  const int size = run.dim("N"), blocks = (size + kBlockSize - 1) / kBlockSize;
  run.step({.name = "scan_blocks_kernel"}, [&] {
    scan_blocks_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), size);
  });
}

void run_complete(Run& run) {
  const int size = run.dim("N"), pieces = (size + kPieceSize - 1) / kPieceSize;
  run.step({.name = "scan_pieces_kernel"}, [&] {
    scan_pieces_kernel<<<pieces, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("sums"),
                                                                run.tensor("a"), size);
  });
  run.step({.name = "scan_sums_kernel"}, [&] {
    scan_sums_kernel<<<1, kBlockSize, 0, run.stream()>>>(run.tensor("offsets"), run.tensor("sums"), pieces);
  });
  run.step({.name = "add_offsets_kernel"}, [&] {
    add_offsets_kernel<<<pieces, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("offsets"),
                                                                size);
  });
}

void run_single_pass(Run& run) {
  const int size = run.dim("N"), pieces = (size + kPieceSize - 1) / kPieceSize;
  long long* states = run.tensor("states");
  run.step({.name = "single_pass_kernel"}, [&] {
    // All bits 0 is kNothing: what the launch before has published must not be taken for this one's.
    cudaMemsetAsync(states, 0, sizeof(long long) * pieces, run.stream());
    single_pass_kernel<<<pieces, kBlockSize, 0, run.stream()>>>(run.tensor("out"), states, run.tensor("next"),
                                                                run.tensor("a"), size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"simple", run_simple}, {"complete", run_complete}, {"single-pass", run_single_pass}};
