// Puzzle 45, multi-head latent attention: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// The sizes of a case.
struct Sizes {
  explicit Sizes(const Run& run)
      : heads(run.dim("A")),
        keys(run.dim("T")),
        latent(run.dim("C")),
        rope(run.dim("R")),
        nope(run.dim("D")),
        values(run.dim("E")) {}
  /// Scores, times `width` and two operations.
  double pairs(double width) const { return 2.0 * heads * keys * width; }
  int heads, keys, latent, rope, nope, values;
};

void decompress(Run& run, const Sizes& s, std::string_view name, std::string_view out, std::string_view w,
                int width) {
  run.step({.name = name, .flops = s.pairs(1.0 * s.latent * width)}, [&] {
    decompress_kernel<<<dim3(ceil_div(width, kTile), ceil_div(s.keys, kTile), s.heads), dim3(kTile, kTile), 0,
                        run.stream()>>>(run.tensor(out), run.tensor("ckv"), run.tensor(w), s.keys, s.latent,
                                        width);
  });
}

void softmax(Run& run, const Sizes& s) {
  run.step({.name = "softmax", .flops = s.pairs(2.5)}, [&] {
    softmax_kernel<<<s.heads, kThreads, 0, run.stream()>>>(run.tensor("weights"), run.tensor("scores"),
                                                           s.keys);
  });
}

void run_unfused(Run& run) {
  const Sizes s(run);
  decompress(run, s, "keys", "k", "wk", s.nope);
  decompress(run, s, "values", "v", "wv", s.values);
  run.step({.name = "scores", .flops = s.pairs(s.nope)}, [&] {
    dots(run.tensor("scores"), run.tensor("qn"), run.tensor("k"), s.heads, s.keys, s.nope, s.keys * s.nope,
         false, run.stream());
  });
  run.step({.name = "rotary scores", .flops = s.pairs(s.rope + 0.5)}, [&] {
    dots(run.tensor("scores"), run.tensor("qr"), run.tensor("kr"), s.heads, s.keys, s.rope, 0, true,
         run.stream());
  });
  softmax(run, s);
  run.step({.name = "sum of values", .flops = s.pairs(s.values)}, [&] {
    half* y = run.tensor("y");
    weigh(y, run.tensor("weights"), run.tensor("v"), s.heads, s.keys, s.values, s.keys * s.values,
          run.stream());
  });
}

void run_absorb(Run& run, const Sizes& s) {
  run.step({.name = "absorb", .flops = 2.0 * s.heads * s.latent * s.nope}, [&] {
    absorb(run.tensor("qa"), run.tensor("qn"), run.tensor("wk"), s.heads, s.latent, s.nope, run.stream());
  });
}

void run_project(Run& run, const Sizes& s) {
  run.step({.name = "project", .flops = 2.0 * s.heads * s.latent * s.values}, [&] {
    project(run.tensor("y"), run.tensor("z"), run.tensor("wv"), s.heads, s.latent, s.values, run.stream());
  });
}

void run_absorbed(Run& run) {
  const Sizes s(run);
  run_absorb(run, s);
  run.step({.name = "latent scores", .flops = s.pairs(s.latent + s.rope)}, [&] {
    latent_scores_kernel<<<dim3(ceil_div(s.keys, kWarps), s.heads), kThreads, 0, run.stream()>>>(
        run.tensor("scores"), run.tensor("qa"), run.tensor("qr"), run.tensor("ckv"), run.tensor("kr"), s.keys,
        s.latent, s.rope);
  });
  softmax(run, s);
  run.step({.name = "sum of latents", .flops = s.pairs(s.latent)}, [&] {
    float* z = run.tensor("z");
    weigh(z, run.tensor("weights"), run.tensor("ckv"), s.heads, s.keys, s.latent, 0, run.stream());
  });
  run_project(run, s);
}

/// A pass over the keys: the score, the exponentials, and sums in which what was there is put right.
double walk_flops(const Sizes& s) { return s.pairs(s.latent + s.rope + 1.5 * s.latent + 3.0); }

void run_flash(Run& run) {
  const Sizes s(run);
  run_absorb(run, s);
  run.step({.name = "flash", .flops = walk_flops(s)}, [&] {
    flash_kernel<<<ceil_div(s.heads, kWarps), kThreads, 0, run.stream()>>>(
        run.tensor("z"), run.tensor("qa"), run.tensor("qr"), run.tensor("ckv"), run.tensor("kr"), s.heads,
        s.keys, s.latent, s.rope);
  });
  run_project(run, s);
}

void run_split(Run& run) {
  const Sizes s(run);
  const int parts = ceil_div(s.keys, kPart);
  run_absorb(run, s);
  float* largest = run.tensor("largest");
  float* totals = run.tensor("totals");
  float* sums = run.tensor("sums");
  run.step({.name = "split", .flops = walk_flops(s)}, [&] {
    split_kernel<<<dim3(ceil_div(s.heads, kWarps), parts), kThreads, 0, run.stream()>>>(
        largest, totals, sums, run.tensor("qa"), run.tensor("qr"), run.tensor("ckv"), run.tensor("kr"),
        s.heads, s.keys, s.latent, s.rope);
  });
  run.step({.name = "combine", .flops = 4.0 * parts * s.heads * s.latent}, [&] {
    combine_kernel<<<dim3(ceil_div(s.latent, kThreads), s.heads), kThreads, 0, run.stream()>>>(
        run.tensor("z"), largest, totals, sums, parts, s.heads, s.latent);
  });
  run_project(run, s);
}

void run_tensor(Run& run) {
  const Sizes s(run);
  const int parts = ceil_div(s.keys, kTensorKeys), groups = ceil_div(s.heads, kSide);
  const int wide = ceil_div(s.latent, kSide) * kSide;
  run_absorb(run, s);
  float* largest = run.tensor("part_largest");
  float* totals = run.tensor("part_totals");
  float* sums = run.tensor("part_sums");
  // More than 48 KB of shared memory must be asked for.
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tile));
  run.step({.name = "tensor", .flops = s.pairs(2.0 * s.latent + s.rope + 2.5)}, [&] {
    tensor_kernel<<<dim3(groups, parts), kThreads, sizeof(Tile), run.stream()>>>(
        largest, totals, sums, run.tensor("qa"), run.tensor("qr"), run.tensor("ckv"), run.tensor("kr"),
        s.heads, s.keys, s.latent, s.rope);
  });
  run.step({.name = "combine and project",
            .flops = 2.0 * ceil_div(s.values, kOutColumns) * parts * s.heads * s.latent +
                     2.0 * s.heads * s.latent * s.values},
           [&] {
             combine_project_kernel<<<dim3(ceil_div(s.values, kOutColumns), s.heads), kOutThreads, 0,
                                      run.stream()>>>(run.tensor("y"), largest, totals, sums,
                                                      run.tensor("wv"), parts, groups * kSide, s.latent, wide,
                                                      s.values);
           });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"unfused", run_unfused},
                                                                       {"absorbed", run_absorbed},
                                                                       {"flash", run_flash},
                                                                       {"split", run_split},
                                                                       {"tensor", run_tensor}};
