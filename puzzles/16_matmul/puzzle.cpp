// Puzzle 16, Matrix multiplication: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include "tile.h"

using namespace workbook;

const Bound M = "M", N = "N", K = "K";

template <class T>
static void multiply(const Dims& dims, HostTensors<T>& t) {
  reference::matmul<T>(t["a"], t["b"], t["c"], dims["M"], dims["N"], dims["K"]);
}

/// C as a sum of K matrices: column k of A times row k of B, each an outer product.
static void outer_products(const Dims& dims, HostTensors<double>& t) {
  const int rows = dims["M"], cols = dims["N"], inner = dims["K"];
  const auto a = t["a"], b = t["b"], c = t["c"];
  for (double& value : c) value = 0.0;
  for (int k = 0; k < inner; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) c[i * cols + j] += a[i * inner + k] * b[k * cols + j];
}

const Bound results = M * N;
const Bound tiles = ceil(M / kTile) * ceil(N / kTile) * ceil(K / kTile);
/// A once for each column of tiles of C, B once for each row of them.
const Bound reads_by_tiles = M * K * ceil(N / kTile) + K * N * ceil(M / kTile);

static std::vector<Tensor> tensors() {
  return {
      input("a", {"M", "K"}, uniform(-1.0, 1.0)), input("b", {"K", "N"}, uniform(-1.0, 1.0)),
      output(
          "c", {"M", "N"},
          {4.0 / 3.0 * K * sqrt(K) * 0x1p-24, 0.0,
           "4/3 K^1.5 2^-24: each of K additions rounds the sum so far by up to 2^-24 of its size, and a sum of K products of "
           "deviation 1/3 stays below 4/3 K^0.5"})};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 16, .title = "Matrix multiplication", .part = "Part III: algorithms",
    .builds_on = {7, 8},
    .summary = "Multiply two matrices: an element a thread, then tiles in shared memory, then tiles that arrive ahead",
    .tasks = {
        {.name = "product",
         .tensors = tensors(),
         .cases = cases({"M", "N", "K"}, {
             {"teaching", {20, 24, 40}}, {"one element", {1, 1, 1}}, {"one row", {1, 70, 33}},
             {"one column", {37, 1, 20}}, {"one term a sum", {17, 33, 1}}, {"full tiles", {48, 32, 16}},
             {"one short of a tile", {31, 47, 15}}, {"one more than a tile", {33, 49, 17}},
             {"many tiles", {50, 70, 90}}, {"long sums", {5, 3, 500}}}),
         .large = {{"M", 130}, {"N", 203}, {"K", 301}}, .bench = {{"M", 1024}, {"N", 1024}, {"K", 1024}},
         .reference = multiply<double>, .cross_check = outer_products, .cpu = multiply<float>},
        {.name = "one tile",
         .tensors = tensors(),
         .cases = cases({"M", "N", "K"}, {
             {"teaching", {5, 8, 7}}, {"one element", {1, 1, 1}}, {"full tile", {kTile, kTile, kTile}},
             {"one term a sum", {7, 16, 1}}, {"one column", {15, 1, 13}}, {"one row", {1, 15, 16}}}),
         .large = {{"M", kTile}, {"N", kTile - 3}, {"K", kTile - 5}},
         .bench = {{"M", kTile}, {"N", kTile}, {"K", kTile}},
         .reference = multiply<double>, .cross_check = outer_products, .cpu = multiply<float>}},
    .variants = {
        {.name = "naive", .title = "NAIVE (one thread an element)",
         .summary = "One thread an element, all reads from global memory",
         .task = "product", .regions = {"naive"},
         .budget = {.global_reads = 2 * M * N * K, .global_writes = results}},
        {.name = "single-block", .title = "SINGLE BLOCK (matrices that fit into one tile)",
         .summary = "One block, each matrix in shared memory whole",
         .task = "one tile", .regions = {"single_block"},
         .refuses = {{M > kTile || N > kTile || K > kTile,
                      "--single-block has one block of 16 x 16 threads and one tile for each matrix: M, N and K are at most 16."}},
         .budget = {.global_reads = reads_by_tiles, .global_writes = results, .barriers = tiles, .conflicts = 0}},
        {.name = "tiled", .title = "TILED", .summary = "Any size: a tile of each matrix in shared memory at a time",
         .task = "product", .regions = {"tiled"},
         .budget = {.global_reads = reads_by_tiles, .global_writes = results, .barriers = 2 * tiles, .conflicts = 0}},
        {.name = "async-tiled", .title = "ASYNC TILED (two buffers)",
         .summary = "The next tiles are copied while these are multiplied",
         .task = "product", .regions = {"async_fetch", "async_loop"}, .required = false,
         .budget = {.global_reads = reads_by_tiles, .global_writes = results, .barriers = tiles, .conflicts = 0}}}};
