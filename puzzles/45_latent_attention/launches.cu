// Puzzle 45, multi-head latent attention: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

/// Of each score `width` products, and their additions.
static double pairs(Run& run, double width) { return 2.0 * run["A*T"] * width; }

static void decompress(Run& run, const char* name, const char* out, const char* matrix, int width) {
  const dim3 blocks(ceil_div(width, kTile), ceil_div(run["T"], kTile), run["A"]), threads(kTile, kTile);
  run.step(name, pairs(run, 1.0 * run["C"] * width), [&] {
    decompress_kernel<<<blocks, threads, 0, run.stream()>>>(run[out], run["ckv"], run[matrix], run["T"],
                                                            run["C"], width);
  });
}

static void softmax(Run& run) {
  run.step("softmax", "5*A*T", [&] {
    softmax_kernel<<<run.dim("A"), kThreads, 0, run.stream()>>>(run["weights"], run["scores"], run["T"]);
  });
}

static void run_unfused(Run& run) {
  decompress(run, "keys", "k", "wk", run["D"]);
  decompress(run, "values", "v", "wv", run["E"]);
  run.step("scores", "2*A*T*D", [&] {
    dots(run["scores"], run["qn"], run["k"], run["A"], run["T"], run["D"], run["T*D"], false, run.stream());
  });
  run.step("rotary scores", "A*T*(2*R+1)", [&] {
    dots(run["scores"], run["qr"], run["kr"], run["A"], run["T"], run["R"], 0, true, run.stream());
  });
  softmax(run);
  run.step("sum of values", "2*A*T*E", [&] {
    weigh<half>(run["y"], run["weights"], run["v"], run["A"], run["T"], run["E"], run["T*E"], run.stream());
  });
}

static void run_absorb(Run& run) {
  run.step("absorb", "2*A*C*D",
           [&] { absorb(run["qa"], run["qn"], run["wk"], run["A"], run["C"], run["D"], run.stream()); });
}

static void run_project(Run& run) {
  run.step("project", "2*A*C*E",
           [&] { project(run["y"], run["z"], run["wv"], run["A"], run["C"], run["E"], run.stream()); });
}

static void run_absorbed(Run& run) {
  run_absorb(run);
  run.step("latent scores", "2*A*T*(C+R)", [&] {
    latent_scores_kernel<<<dim3(ceil_div(run["T"], kWarps), run["A"]), kThreads, 0, run.stream()>>>(
        run["scores"], run["qa"], run["qr"], run["ckv"], run["kr"], run["T"], run["C"], run["R"]);
  });
  softmax(run);
  run.step("sum of latents", "2*A*T*C", [&] {
    weigh<float>(run["z"], run["weights"], run["ckv"], run["A"], run["T"], run["C"], 0, run.stream());
  });
  run_project(run);
}

const char* const kWalkFlops = "A*T*(5*C+2*R+6)";

static void run_flash(Run& run) {
  run_absorb(run);
  run.step("flash", kWalkFlops, [&] {
    flash_kernel<<<ceil_div(run["A"], kWarps), kThreads, 0, run.stream()>>>(
        run["z"], run["qa"], run["qr"], run["ckv"], run["kr"], run["A"], run["T"], run["C"], run["R"]);
  });
  run_project(run);
}

static void run_split(Run& run) {
  const int parts = ceil_div(run["T"], kPart);
  run_absorb(run);
  run.step("split", kWalkFlops, [&] {
    split_kernel<<<dim3(ceil_div(run["A"], kWarps), parts), kThreads, 0, run.stream()>>>(
        run["largest"], run["totals"], run["sums"], run["qa"], run["qr"], run["ckv"], run["kr"], run["A"],
        run["T"], run["C"], run["R"]);
  });
  run.step("combine", 4.0 * parts * run["A*C"], [&] {
    combine_kernel<<<dim3(ceil_div(run["C"], kThreads), run["A"]), kThreads, 0, run.stream()>>>(
        run["z"], run["largest"], run["totals"], run["sums"], parts, run["A"], run["C"]);
  });
  run_project(run);
}

static void run_tensor(Run& run) {
  const int parts = ceil_div(run["T"], kTensorKeys), groups = ceil_div(run["A"], kSide);
  const int wide = ceil_div(run["C"], kSide) * kSide;
  run_absorb(run);
  // More than 48 KB of shared memory must be asked for.
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tile));
  run.step("tensor", "A*T*(4*C+2*R+5)", [&] {
    tensor_kernel<<<dim3(groups, parts), kThreads, sizeof(Tile), run.stream()>>>(
        run["part_largest"], run["part_totals"], run["part_sums"], run["qa"], run["qr"], run["ckv"],
        run["kr"], run["A"], run["T"], run["C"], run["R"]);
  });
  const dim3 blocks(ceil_div(run["E"], kOutColumns), run["A"]);
  run.step("combine and project", 2.0 * run["A*C"] * (1.0 * blocks.x * parts + run["E"]), [&] {
    combine_project_kernel<<<blocks, kOutThreads, 0, run.stream()>>>(
        run["y"], run["part_largest"], run["part_totals"], run["part_sums"], run["wv"], parts, groups * kSide,
        run["C"], wide, run["E"]);
  });
}

const workbook::Launchers workbook::launchers = {{"unfused", run_unfused},
                                                 {"absorbed", run_absorbed},
                                                 {"flash", run_flash},
                                                 {"split", run_split},
                                                 {"tensor", run_tensor}};
