// Puzzle 33, Tensor cores: the launches of its variants.
#include <workbook/run.h>
#include <workbook/shared_memory.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

const char* const kFlops = "2*M*N*K";

static void run_tiled(Run& run) {
  const dim3 grid(ceil_div(run["N"], kTile), ceil_div(run["M"], kTile)), block(kTile, kTile);
  run.step("tiled_kernel", kFlops, [&] {
    tiled_kernel<<<grid, block, 0, run.stream()>>>(run["c"], run["a"], run["b"], run["M"], run["N"],
                                                   run["K"]);
  });
}

/// A block for each part of c. All kernels ask for the memory of the whole ring, also those with one stage:
/// their sums take so many registers that an SM has one block in any case.
template <class T>
static void launch(Run& run, const char* name, void (*kernel)(Product<T> product), int needed) {
  const int bytes = std::min<int>(kStages * sizeof(Stage<Padded>), workbook::most_shared_bytes());
  run.demand(needed <= bytes, "a block has too little shared memory for the ring on this GPU");
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const Product<T> product{run["c"], run["a"], run["b"], run["M"], run["N"], run["K"]};
  const dim3 grid(ceil_div(run["N"], kBlockColumns), ceil_div(run["M"], kBlockRows));
  run.step(name, kFlops, [&] { kernel<<<grid, kThreads, bytes, run.stream()>>>(product); });
}

constexpr int kOneStage = sizeof(Stage<Padded>), kRing = kStages * sizeof(Stage<Swizzled>);

static void run_wmma(Run& run) { launch(run, "wmma_kernel", wmma_kernel, kOneStage); }
static void run_mma(Run& run) { launch(run, "one_stage_kernel", one_stage_kernel<ByHand>, kOneStage); }
static void run_ldmatrix(Run& run) {
  launch(run, "one_stage_kernel", one_stage_kernel<ByLdmatrix>, kOneStage);
}
static void run_pipelined(Run& run) { launch(run, "ring_kernel", ring_kernel<half>, kRing); }
static void run_bf16(Run& run) { launch(run, "ring_kernel", ring_kernel<__nv_bfloat16>, kRing); }
static void run_tf32(Run& run) { launch(run, "ring_kernel", ring_kernel<float>, kRing); }

const workbook::Launchers workbook::launchers = {
    {"tiled", run_tiled},         {"wmma", run_wmma}, {"mma", run_mma},  {"ldmatrix", run_ldmatrix},
    {"pipelined", run_pipelined}, {"bf16", run_bf16}, {"tf32", run_tf32}};
