// Puzzle 21, Embedding: one launch for each variant.
#include <workbook/run.h>

#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_2d(Run& run) {
  const int positions = run["B*L"], features = run["E"];
  const dim3 grid(ceil_div(positions, kBlockX), ceil_div(features, kBlockY)), block(kBlockX, kBlockY);
  run.step("embedding_2d_kernel", [&] {
    embedding_2d_kernel<<<grid, block, 0, run.stream()>>>(run["out"], run["index"], run["table"], positions,
                                                          features, run["V"]);
  });
}

static void run_coalesced(Run& run) {
  const int blocks = ceil_div(run["B*L*E"], kBlockSize);
  run.step("embedding_coalesced_kernel", [&] {
    embedding_coalesced_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(
        run["out"], run["index"], run["table"], run["B*L"], run["E"], run["V"]);
  });
}

static void run_vector(Run& run) {
  float* out = run["out"];
  const float* table = run["table"];
  const int blocks = ceil_div(run["B*L*(E/4)"], kBlockSize);
  run.step("embedding_vector_kernel", [&] {
    embedding_vector_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(
        reinterpret_cast<float4*>(out), run["index"], reinterpret_cast<const float4*>(table), run["B*L"],
        run["E/4"], run["V"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"2d", run_2d}, {"coalesced", run_coalesced}, {"vector", run_vector}};
