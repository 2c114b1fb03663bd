// Puzzle 43, gated MLP: the launches of its variants.
#include <workbook/run.h>

#include <algorithm>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// A block of kTile x kTile threads for each tile of a result with `columns` columns; x runs along these.
dim3 tiles(const Run& run, int columns, int parts = 1) {
  return dim3(ceil_div(columns, kTile), ceil_div(run.dim("B"), kTile), parts);
}
dim3 tile() { return dim3(kTile, kTile); }

double product_flops(const Run& run) { return 2.0 * run.dim("B") * run.dim("H") * run.dim("O"); }
int results(const Run& run) { return run.dim("B") * run.dim("O"); }
/// A negation, an exponential, an addition and a division.
double silu_flops(const Run& run) { return 4.0 * results(run); }

/// out = x matrix: product_kernel of given.cuh.
void product(Run& run, std::string_view name, std::string_view out, std::string_view matrix) {
  run.step({.name = name, .flops = product_flops(run)}, [&] {
    product_kernel<<<tiles(run, run.dim("O")), tile(), 0, run.stream()>>>(
        run.tensor(out), run.tensor("x"), run.tensor(matrix), run.dim("B"), run.dim("H"), run.dim("O"));
  });
}

void run_unfused(Run& run) {
  const int size = results(run), blocks = ceil_div(size, kBlockSize);
  product(run, "product_kernel (x u)", "gate", "u");
  product(run, "product_kernel (x w)", "up", "w");
  run.step({.name = "silu_kernel", .flops = silu_flops(run)}, [&] {
    silu_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("activated"), run.tensor("gate"), size);
  });
  run.step({.name = "multiply_kernel", .flops = 1.0 * size}, [&] {
    multiply_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("y"), run.tensor("activated"),
                                                             run.tensor("up"), size);
  });
}

void run_epilogue(Run& run) {
  product(run, "product_kernel (x u)", "gate", "u");
  run.step({.name = "epilogue_kernel", .flops = product_flops(run) + silu_flops(run) + results(run)}, [&] {
    epilogue_kernel<<<tiles(run, run.dim("O")), tile(), 0, run.stream()>>>(
        run.tensor("y"), run.tensor("gate"), run.tensor("x"), run.tensor("w"), run.dim("B"), run.dim("H"),
        run.dim("O"));
  });
}

void run_fused(Run& run) {
  run.step({.name = "fused_kernel", .flops = 2 * product_flops(run) + silu_flops(run) + results(run)}, [&] {
    fused_kernel<<<tiles(run, run.dim("O")), tile(), 0, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), run.tensor("u"), run.tensor("w"), run.dim("B"), run.dim("H"),
        run.dim("O"));
  });
}

void run_interleaved(Run& run) {
  run.step(
      {.name = "interleaved_kernel", .flops = 2 * product_flops(run) + silu_flops(run) + results(run)}, [&] {
        interleaved_kernel<<<tiles(run, 2 * run.dim("O")), tile(), 0, run.stream()>>>(
            run.tensor("y"), run.tensor("x"), run.tensor("uw"), run.dim("B"), run.dim("H"), run.dim("O"));
      });
}

void run_split(Run& run) {
  const int rows = run.dim("B"), hidden = run.dim("H"), outputs = run.dim("O");
  float* gates = run.tensor("gates");
  float* ups = run.tensor("ups");
  run.step({.name = "split_kernel", .flops = 2 * product_flops(run)}, [&] {
    split_kernel<<<tiles(run, outputs, kParts), tile(), 0, run.stream()>>>(
        gates, ups, run.tensor("x"), run.tensor("u"), run.tensor("w"), rows, hidden, outputs,
        part_size(hidden));
  });
  run.step({.name = "combine_kernel", .flops = (2.0 * kParts + 1.0) * results(run) + silu_flops(run)}, [&] {
    combine_kernel<<<dim3(ceil_div(outputs, kBlockSize), rows), kBlockSize, 0, run.stream()>>>(
        run.tensor("y"), gates, ups, rows, outputs);
  });
}

void run_tensor(Run& run) {
  const int rows = run.dim("B"), outputs = run.dim("O");
  // A ring for each warp: as many warps as the shared memory that a block can have holds.
  int device = 0, bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const int warps = std::min(kMostWarps, bytes / static_cast<int>(sizeof(Ring)));
  const int shared = warps * static_cast<int>(sizeof(Ring));
  cudaFuncSetAttribute(tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  const dim3 blocks(ceil_div(outputs, kColumns), ceil_div(rows, kFragment));
  run.step({.name = "tensor_kernel", .flops = 2 * product_flops(run) + silu_flops(run) + results(run)}, [&] {
    tensor_kernel<<<blocks, warps * 32, shared, run.stream()>>>(
        run.tensor("y"), run.tensor("x"), run.tensor("u"), run.tensor("w"), rows, run.dim("H"), outputs);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"unfused", run_unfused},         {"epilogue", run_epilogue}, {"fused", run_fused},
    {"interleaved", run_interleaved}, {"split", run_split},       {"tensor", run_tensor}};
