// Puzzle 21, Embedding: one launch for each variant.
#include <workbook/run.h>

#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

void run_2d(Run& run) {
  const int positions = run.dim("B*L"), features = run.dim("E");
  run.step({.name = "embedding_2d_kernel"}, [&] {
    const dim3 grid(ceil_div(positions, kBlockX), ceil_div(features, kBlockY)), block(kBlockX, kBlockY);
    embedding_2d_kernel<<<grid, block, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("index"), run.tensor("table"), positions, features, run.dim("V"));
  });
}

void run_coalesced(Run& run) {
  const int positions = run.dim("B*L"), features = run.dim("E");
  run.step({.name = "embedding_coalesced_kernel"}, [&] {
    embedding_coalesced_kernel<<<ceil_div(positions * features, kBlockSize), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("index"), run.tensor("table"), positions, features, run.dim("V"));
  });
}

void run_vector(Run& run) {
  const int positions = run.dim("B*L"), quads = run.dim("E") / 4;
  float* out = run.tensor("out");
  const float* table = run.tensor("table");
  run.step({.name = "embedding_vector_kernel"}, [&] {
    embedding_vector_kernel<<<ceil_div(positions * quads, kBlockSize), kBlockSize, 0, run.stream()>>>(
        reinterpret_cast<float4*>(out), run.tensor("index"), reinterpret_cast<const float4*>(table),
        positions, quads, run.dim("V"));
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"2d", run_2d}, {"coalesced", run_coalesced}, {"vector", run_vector}};
