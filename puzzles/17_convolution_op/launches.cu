// Puzzle 17, Convolution op: each variant is a host function of kernels.cu, called with what the caller
// chose.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::Run;

using Operator = void (*)(float* out, const float* x, const float* filter, int rows, int size, int taps,
                          cudaStream_t stream);

static void call(Run& run, std::string_view name, Operator convolve) {
  const int rows = run.dim("B"), size = run.dim("N"), taps = run.dim("K");
  run.step(name, 2.0 * rows * size * taps,
           [&] { convolve(run["out"], run["x"], run["filter"], rows, size, taps, run.stream()); });
}

static void run_row_by_row(Run& run) { call(run, "row_by_row", row_by_row); }
static void run_batch(Run& run) { call(run, "batch", batch); }
static void run_pieces(Run& run) { call(run, "pieces", pieces); }

const workbook::Launchers workbook::launchers = {
    {"row-by-row", run_row_by_row}, {"batch", run_batch}, {"pieces", run_pieces}};
