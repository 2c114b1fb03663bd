// Puzzle 16, Matrix multiplication: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <cmath>

#include "tile.h"

namespace {

using workbook::Bound;
using workbook::Dims;
using workbook::HostTensors;
using workbook::Tensor;

void multiply(const Dims& dims, HostTensors<double>& t) {
  workbook::reference::matmul(t["a"], t["b"], t["c"], dims["M"], dims["N"], dims["K"]);
}

/// C as a sum of K matrices: column k of A times row k of B, each an outer product.
void outer_products(const Dims& dims, HostTensors<double>& t) {
  const int rows = dims["M"], cols = dims["N"], inner = dims["K"];
  const auto a = t["a"], b = t["b"], c = t["c"];
  for (double& value : c) value = 0.0;
  for (int k = 0; k < inner; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) c[i * cols + j] += a[i * inner + k] * b[k * cols + j];
}

void multiply_cpu(const Dims& dims, HostTensors<float>& t) {
  const int rows = dims["M"], cols = dims["N"], inner = dims["K"];
  const auto a = t["a"], b = t["b"], c = t["c"];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      float sum = 0.0f;
      for (int k = 0; k < inner; ++k) sum += a[i * inner + k] * b[k * cols + j];
      c[i * cols + j] = sum;
    }
}

double ceil_div(double a, double b) { return std::ceil(a / b); }

double reads_of_every_element(const Dims& d) { return 2.0 * d["M"] * d["N"] * d["K"]; }
/// A once for each column of tiles of C, B once for each row of them.
double reads_by_tiles(const Dims& d) {
  return 1.0 * d["M"] * d["K"] * ceil_div(d["N"], kTile) + 1.0 * d["K"] * d["N"] * ceil_div(d["M"], kTile);
}
double results(const Dims& d) { return 1.0 * d["M"] * d["N"]; }
double tiles(const Dims& d) {
  return ceil_div(d["M"], kTile) * ceil_div(d["N"], kTile) * ceil_div(d["K"], kTile);
}

std::vector<Tensor> tensors() {
  using namespace workbook;
  return {
      {.name = "a", .role = Role::input, .shape = {"M", "K"}, .fill = uniform(-1.0, 1.0)},
      {.name = "b", .role = Role::input, .shape = {"K", "N"}, .fill = uniform(-1.0, 1.0)},
      {.name = "c",
       .role = Role::output,
       .shape = {"M", "N"},
       .tolerance =
           Tolerance{
               [](const Dims& d) { return 4.0 / 3.0 * d["K"] * std::sqrt(d["K"]) * 0x1p-24; }, 0.0,
               "4/3 K^1.5 2^-24: each of K additions rounds the sum so far by up to 2^-24 of its size, and a sum of K products of "
               "deviation 1/3 stays below 4/3 K^0.5"}},
  };
}

std::string single_block_refuses(const Dims& d) {
  return d["M"] > kTile || d["N"] > kTile || d["K"] > kTile
             ? "--single-block has one block of 16 x 16 threads and one tile for each matrix: M, N and K are at most 16."
             : "";
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 16,
    .title = "Matrix multiplication",
    .part = "Part III: algorithms",
    .summary = "Multiply two matrices: an element a thread, then tiles in shared memory, then tiles that arrive ahead",
    .tasks = {
        {.name = "product",
         .tensors = tensors(),
         .cases = {
             {.name = "teaching", .dims = {{"M", 20}, {"N", 24}, {"K", 40}}},
             {.name = "one element", .dims = {{"M", 1}, {"N", 1}, {"K", 1}}},
             {.name = "one row", .dims = {{"M", 1}, {"N", 70}, {"K", 33}}},
             {.name = "one column", .dims = {{"M", 37}, {"N", 1}, {"K", 20}}},
             {.name = "one term a sum", .dims = {{"M", 17}, {"N", 33}, {"K", 1}}},
             {.name = "full tiles", .dims = {{"M", 48}, {"N", 32}, {"K", 16}}},
             {.name = "one short of a tile", .dims = {{"M", 31}, {"N", 47}, {"K", 15}}},
             {.name = "one more than a tile", .dims = {{"M", 33}, {"N", 49}, {"K", 17}}},
             {.name = "many tiles", .dims = {{"M", 50}, {"N", 70}, {"K", 90}}},
             {.name = "long sums", .dims = {{"M", 5}, {"N", 3}, {"K", 500}}},
         },
         .large = {{"M", 130}, {"N", 203}, {"K", 301}},
         .bench = {{"M", 1024}, {"N", 1024}, {"K", 1024}},
         .reference = multiply,
         .cross_check = outer_products,
         .cpu = multiply_cpu},
        {.name = "one tile",
         .tensors = tensors(),
         .cases = {
             {.name = "teaching", .dims = {{"M", 5}, {"N", 8}, {"K", 7}}},
             {.name = "one element", .dims = {{"M", 1}, {"N", 1}, {"K", 1}}},
             {.name = "full tile", .dims = {{"M", kTile}, {"N", kTile}, {"K", kTile}}},
             {.name = "one term a sum", .dims = {{"M", 7}, {"N", 16}, {"K", 1}}},
             {.name = "one column", .dims = {{"M", 15}, {"N", 1}, {"K", 13}}},
             {.name = "one row", .dims = {{"M", 1}, {"N", 15}, {"K", 16}}},
         },
         .large = {{"M", kTile}, {"N", kTile - 3}, {"K", kTile - 5}},
         .bench = {{"M", kTile}, {"N", kTile}, {"K", kTile}},
         .reference = multiply,
         .cross_check = outer_products,
         .cpu = multiply_cpu},
    },
    .variants = {
        {.name = "naive",
         .title = "NAIVE (one thread an element)",
         .summary = "One thread an element, all reads from global memory",
         .task = "product",
         .regions = {"naive"},
         .budget = {.global_reads = reads_of_every_element, .global_writes = results}},
        {.name = "single-block",
         .title = "SINGLE BLOCK (matrices that fit into one tile)",
         .summary = "One block, each matrix in shared memory whole",
         .task = "one tile",
         .regions = {"single_block"},
         .refuses = single_block_refuses,
         .budget = {.global_reads = reads_by_tiles, .global_writes = results, .barriers = tiles, .conflicts = 0.0}},
        {.name = "tiled",
         .title = "TILED",
         .summary = "Any size: a tile of each matrix in shared memory at a time",
         .task = "product",
         .regions = {"tiled"},
         .budget = {.global_reads = reads_by_tiles, .global_writes = results,
                    .barriers = [](const Dims& d) { return 2.0 * tiles(d); }, .conflicts = 0.0}},
        {.name = "async-tiled",
         .title = "ASYNC TILED (two buffers)",
         .summary = "The next tiles are copied while these are multiplied",
         .task = "product",
         .regions = {"async_fetch", "async_loop"},
         .required = false,
         .budget = {.global_reads = reads_by_tiles, .global_writes = results, .barriers = tiles, .conflicts = 0.0}},
    },
};
// clang-format on
