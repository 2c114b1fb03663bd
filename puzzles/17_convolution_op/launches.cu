// Puzzle 17, Convolution op: each variant is a host function of kernels.cu, called with what the caller
// chose.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;
using Operator = void (*)(float* out, const float* x, const float* filter, int rows, int size, int taps,
                          cudaStream_t stream);

void call(Run& run, std::string_view name, Operator convolve) {
  const int rows = run.dim("B"), size = run.dim("N"), taps = run.dim("K");
  run.step({.name = name, .flops = 2.0 * rows * size * taps}, [&] {
    convolve(run.tensor("out"), run.tensor("x"), run.tensor("filter"), rows, size, taps, run.stream());
  });
}

void run_row_by_row(Run& run) { call(run, "row_by_row", row_by_row); }
void run_batch(Run& run) { call(run, "batch", batch); }
void run_pieces(Run& run) { call(run, "pieces", pieces); }

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"row-by-row", run_row_by_row}, {"batch", run_batch}, {"pieces", run_pieces}};
