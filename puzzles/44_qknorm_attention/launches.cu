// Puzzle 44, attention with QK-Norm: the launches of its variants.
#include <workbook/run.h>

#include <cmath>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// The sizes of a case, as kernels take them.
struct Sizes {
  explicit Sizes(const Run& run)
      : heads(run.dim("N")), queries(run.dim("S")), keys(run.dim("T")), features(run.dim("D")) {}
  float scale() const { return 1.0f / std::sqrt(static_cast<float>(features)); }
  double pairs() const { return 1.0 * heads * queries * keys; }
  int heads, queries, keys, features;
};

dim3 tile() { return dim3(kTile, kTile); }

void norm_rows(Run& run, half* normalized, const half* x, const half* g, int rows, int features) {
  norm_rows_kernel<<<ceil_div(rows, kWarps), kBlockSize, 0, run.stream()>>>(normalized, x, g, rows, features);
}

void softmax_and_values(Run& run, const Sizes& s) {
  run.step({.name = "softmax_kernel", .flops = 5.0 * s.pairs()}, [&] {
    softmax_kernel<<<s.heads * s.queries, kBlockSize, 0, run.stream()>>>(run.tensor("weights"),
                                                                         run.tensor("scores"), s.keys);
  });
  run.step({.name = "values_kernel", .flops = 2.0 * s.pairs() * s.features}, [&] {
    values_kernel<<<dim3(ceil_div(s.features, kTile), ceil_div(s.queries, kTile), s.heads), tile(), 0,
                    run.stream()>>>(run.tensor("out"), run.tensor("weights"), run.tensor("v"), s.queries,
                                    s.keys, s.features);
  });
}

dim3 score_tiles(const Sizes& s) {
  return dim3(ceil_div(s.keys, kTile), ceil_div(s.queries, kTile), s.heads);
}

void run_unfused(Run& run) {
  const Sizes s(run);
  run.step({.name = "norm_rows_kernel of q", .flops = 4.0 * s.heads * s.queries * s.features}, [&] {
    norm_rows(run, run.tensor("q_norm"), run.tensor("q"), run.tensor("gq"), s.heads * s.queries, s.features);
  });
  run.step({.name = "norm_rows_kernel of k", .flops = 4.0 * s.heads * s.keys * s.features}, [&] {
    norm_rows(run, run.tensor("k_norm"), run.tensor("k"), run.tensor("gk"), s.heads * s.keys, s.features);
  });
  run.step({.name = "scores_kernel", .flops = 2.0 * s.pairs() * s.features}, [&] {
    scores_kernel<<<score_tiles(s), tile(), 0, run.stream()>>>(run.tensor("scores"), run.tensor("q_norm"),
                                                               run.tensor("k_norm"), s.scale(), s.queries,
                                                               s.keys, s.features);
  });
  softmax_and_values(run, s);
}

void run_norms_inside(Run& run) {
  const Sizes s(run);
  run.step({.name = "scaled_scores_kernel", .flops = 4.0 * s.pairs() * s.features}, [&] {
    scaled_scores_kernel<<<score_tiles(s), tile(), 0, run.stream()>>>(
        run.tensor("scores"), run.tensor("q"), run.tensor("k"), run.tensor("gq"), run.tensor("gk"), s.scale(),
        s.queries, s.keys, s.features);
  });
  softmax_and_values(run, s);
}

/// Both products, a square for each feature that a lane meets, and some five operations a score.
double flash_flops(const Sizes& s) { return s.pairs() * ((4.0 + 2.0 / kOwn) * s.features + 5.0); }

void run_flash(Run& run) {
  const Sizes s(run);
  run.step({.name = "flash_kernel", .flops = flash_flops(s)}, [&] {
    flash_kernel<<<dim3(ceil_div(s.queries, kQueries), s.heads), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("q"), run.tensor("k"), run.tensor("v"), run.tensor("gq"),
        run.tensor("gk"), s.scale(), s.queries, s.keys, s.features);
  });
}

/// The last launch of --split and --tensor.
void combine(Run& run, const Sizes& s) {
  const int rows = s.heads * s.queries;
  run.step({.name = "combine_kernel", .flops = 7.0 * kParts * rows * s.features}, [&] {
    combine_kernel<<<ceil_div(rows * s.features, kBlockSize), kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("maxima"), run.tensor("totals"), run.tensor("sums"), rows, s.features);
  });
}

void run_split(Run& run) {
  const Sizes s(run);
  run.step({.name = "split_kernel", .flops = flash_flops(s)}, [&] {
    split_kernel<<<dim3(ceil_div(s.queries, kQueries), s.heads, kParts), kBlockSize, 0, run.stream()>>>(
        run.tensor("maxima"), run.tensor("totals"), run.tensor("sums"), run.tensor("q"), run.tensor("k"),
        run.tensor("v"), run.tensor("gq"), run.tensor("gk"), s.scale(), s.queries, s.keys, s.features,
        part_size(s.keys));
  });
  combine(run, s);
}

/// Both products, the squares of a key once a block, and some six operations a score.
double tensor_flops(const Sizes& s) { return s.pairs() * ((4.0 + 2.0 / kTensorQueries) * s.features + 6.0); }

void run_tensor(Run& run) {
  const Sizes s(run);
  run.step({.name = "tensor_kernel", .flops = tensor_flops(s)}, [&] {
    cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(TensorMemory));
    tensor_kernel<<<dim3(ceil_div(s.queries, kTensorQueries), s.heads, kParts), kTensorThreads,
                    sizeof(TensorMemory), run.stream()>>>(
        run.tensor("maxima"), run.tensor("totals"), run.tensor("sums"), run.tensor("q"), run.tensor("k"),
        run.tensor("v"), run.tensor("gq"), run.tensor("gk"), s.scale(), s.queries, s.keys, s.features,
        part_size(s.keys));
  });
  combine(run, s);
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"unfused", run_unfused},
                                                                       {"norms-inside", run_norms_inside},
                                                                       {"flash", run_flash},
                                                                       {"split", run_split},
                                                                       {"tensor", run_tensor}};
