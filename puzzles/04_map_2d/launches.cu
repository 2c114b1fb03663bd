// Puzzle 04, Map 2D: its three launches.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

static void run_raw(workbook::Run& run) {
  const int rows = run["R"], cols = run["C"];
  const dim3 block(kBlockX, kBlockY);
  const dim3 grid((cols + kBlockX - 1) / kBlockX, (rows + kBlockY - 1) / kBlockY);  // x: columns, y: rows
  run.step("raw_kernel", "2*R*C",
           [&] { raw_kernel<<<grid, block, 0, run.stream()>>>(run["out"], run["a"], rows, cols); });
}

static void run_mdspan(workbook::Run& run) {
  const int rows = run["R"], cols = run["C"];
  const dim3 block(kBlockX, kBlockY);
  const dim3 grid((cols + kBlockX - 1) / kBlockX, (rows + kBlockY - 1) / kBlockY);
  const Matrix out(run["out"], rows, cols);
  const ConstMatrix a(run["a"], rows, cols);
  run.step("mdspan_kernel", "2*R*C", [&] { mdspan_kernel<<<grid, block, 0, run.stream()>>>(out, a); });
}

static void run_swapped(workbook::Run& run) {
  const int rows = run["R"], cols = run["C"];
  const dim3 block(kBlockX, kBlockY);
  const dim3 grid((rows + kBlockX - 1) / kBlockX, (cols + kBlockY - 1) / kBlockY);  // x: rows, y: columns
  run.step("swapped_kernel", "2*R*C",
           [&] { swapped_kernel<<<grid, block, 0, run.stream()>>>(run["out"], run["a"], rows, cols); });
}

const workbook::Launchers workbook::launchers = {
    {"raw", run_raw}, {"mdspan", run_mdspan}, {"swapped", run_swapped}};
