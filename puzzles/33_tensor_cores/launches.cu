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

/// A block for each part of c.
template <class T>
static void launch(Run& run, const char* name, void (*kernel)(Product<T> product), int bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const Product<T> product{run["c"], run["a"], run["b"], run["M"], run["N"], run["K"]};
  const dim3 grid(ceil_div(run["N"], kBlockColumns), ceil_div(run["M"], kBlockRows));
  run.step(name, kFlops, [&] { kernel<<<grid, kThreads, bytes, run.stream()>>>(product); });
}

/// All kernels get the memory of the whole ring, also those with one stage: their sums take so many registers
/// that an SM has one block in any case.
constexpr int kRing = kMostStages * sizeof(Stage<Swizzled>);

static void launch_one_stage(Run& run, const char* name, void (*kernel)(Product<half> product)) {
  launch(run, name, kernel, std::min(kRing, workbook::most_shared_bytes()));
}

template <class T>
static void launch_ring(Run& run) {
  constexpr int kTwoStages = 2 * sizeof(Stage<Swizzled>);
  const int most = workbook::most_shared_bytes();
  run.demand(kTwoStages <= most,
             "a ring of two stages needs 96 KB of shared memory a block: compute capability 8.0 and later");
  if (kRing <= most)
    launch(run, "ring_kernel", ring_kernel<T, kMostStages>, kRing);
  else
    launch(run, "ring_kernel", ring_kernel<T, 2>, kTwoStages);
}

static void run_wmma(Run& run) { launch_one_stage(run, "wmma_kernel", wmma_kernel); }
static void run_mma(Run& run) { launch_one_stage(run, "one_stage_kernel", one_stage_kernel<ByHand>); }
static void run_ldmatrix(Run& run) {
  launch_one_stage(run, "one_stage_kernel", one_stage_kernel<ByLdmatrix>);
}
static void run_pipelined(Run& run) { launch_ring<half>(run); }
static void run_bf16(Run& run) { launch_ring<__nv_bfloat16>(run); }
static void run_tf32(Run& run) { launch_ring<float>(run); }

const workbook::Launchers workbook::launchers = {
    {"tiled", run_tiled},         {"wmma", run_wmma}, {"mma", run_mma},  {"ldmatrix", run_ldmatrix},
    {"pipelined", run_pipelined}, {"bf16", run_bf16}, {"tf32", run_tf32}};
