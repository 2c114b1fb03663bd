// Puzzle 04, Map 2D: its three launches.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

void run_raw(workbook::Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "raw_kernel", .flops = 2.0 * rows * cols}, [&] {
    const dim3 block(kBlockX, kBlockY);
    const dim3 grid((cols + kBlockX - 1) / kBlockX, (rows + kBlockY - 1) / kBlockY);  // x: columns, y: rows
    raw_kernel<<<grid, block, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), rows, cols);
  });
}

void run_mdspan(workbook::Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  float* const d_out = run.tensor("out");
  const float* const d_a = run.tensor("a");
  run.step({.name = "mdspan_kernel", .flops = 2.0 * rows * cols}, [&] {
    const dim3 block(kBlockX, kBlockY);
    const dim3 grid((cols + kBlockX - 1) / kBlockX, (rows + kBlockY - 1) / kBlockY);
    mdspan_kernel<<<grid, block, 0, run.stream()>>>(Matrix(d_out, rows, cols), ConstMatrix(d_a, rows, cols));
  });
}

void run_swapped(workbook::Run& run) {
  const int rows = run.dim("R"), cols = run.dim("C");
  run.step({.name = "swapped_kernel", .flops = 2.0 * rows * cols}, [&] {
    const dim3 block(kBlockX, kBlockY);
    const dim3 grid((rows + kBlockX - 1) / kBlockX, (cols + kBlockY - 1) / kBlockY);  // x: rows, y: columns
    swapped_kernel<<<grid, block, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), rows, cols);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"raw", run_raw}, {"mdspan", run_mdspan}, {"swapped", run_swapped}};
