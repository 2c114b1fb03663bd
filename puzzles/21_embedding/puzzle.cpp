// Puzzle 21, Embedding: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>

#include "sizes.h"

using namespace workbook;

const Bound B = "B", L = "L", E = "E";

template <class T>
static void gather(const Dims& dims, HostTensors<T>& t) {
  const int features = dims["E"], vocabulary = dims["V"];
  for (int p = 0; p < dims["B"] * dims["L"]; ++p) {
    const auto row = static_cast<long long>(t["index"][p]);
    for (int e = 0; e < features; ++e)
      t["out"][p * features + e] = row >= 0 && row < vocabulary ? t["table"][row * features + e] : T{0};
  }
}

/// Seen from the table: each row goes to all positions that ask for it. What nobody gives stays zero.
static void handed_out(const Dims& dims, HostTensors<double>& t) {
  const int features = dims["E"], positions = dims["B"] * dims["L"];
  const auto table = t["table"], out = t["out"], index = t["index"];
  std::fill(out.begin(), out.end(), 0.0);
  for (int row = 0; row < dims["V"]; ++row)
    for (int p = 0; p < positions; ++p)
      if (index[p] == row) std::copy_n(table.begin() + row * features, features, out.begin() + p * features);
}

/// Texts of different lengths: the first of each row are words, repeated and in no order, the rest is -1.
static void padded(const Dims& dims, std::span<double> values, Random& random) {
  const int length = dims["L"];
  for (std::size_t begin = 0; begin < values.size(); begin += length) {
    const auto words = random.integer(1, length);
    for (int l = 0; l < length; ++l)
      values[begin + l] = l < words ? static_cast<double>(random.integer(0, dims["V"] - 1)) : -1.0;
  }
}
/// Some that lie just outside.
static void outside(const Dims& dims, std::span<double> values, Random& random) {
  const double vocabulary = dims["V"];
  const double wrong[] = {-1.0, -2.0, vocabulary, vocabulary + 1};
  for (double& value : values) {
    const auto choice = random.integer(0, 7);
    value = choice < 4 ? wrong[choice] : static_cast<double>(random.integer(0, dims["V"] - 1));
  }
  values[0] = vocabulary;
}
/// Words, and now and then a number past 32 bits, of which the lower 32 would be a word.
static void words(const Dims& dims, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(random.integer(0, dims["V"] - 1)) + (i % 50 == 7 ? 4294967296.0 : 0.0);
}
/// The first and the last row, again and again, beside each other.
static void repeated(const Dims& dims, std::span<double> values, Random& random) {
  for (double& value : values) value = random.integer(0, 2) == 0 ? 0.0 : dims["V"] - 1.0;
}

/// At most an index and an element of the table for each element of the result.
const Budget kElementwise = {.global_reads = 2 * B * L * E, .global_writes = B * L * E};
/// Of a row its sectors, in the table two more where it begins within one and ends in one; of the indices
/// those of a warp's positions; each once more where the next warp goes on.
const Bound warps = ceil(B * L * E / 32), positions = B * L;
const Budget kCoalesced = {
    .global_reads = 2 * B * L * E,
    .global_writes = B * L * E,
    .sectors_asked = positions * (E / 8 + 2) + positions * E / 8 + positions / 4 + 6 * warps};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 21, .title = "Embedding", .part = "Part V: layers as operators",
    .builds_on = {2, 3, 4, 7},
    .summary = "Copy a row of a table for each index: the index decides the address, the layout decides the cost",
    .tasks = {{
        .tensors = {
            input("index", Type::i64, {"B", "L"}, from(words)),
            input("table", {"V", "E"}, normal(0.0, 1.0)),
            output("out", {"B", "L", "E"}, exact("rows are copied"))},
        .cases = cases({"B", "L", "V", "E"}, {
            {"teaching", {2, 16, 10, 32}, {{"index", from(padded)}}},
            {"one of each", {1, 1, 1, 1}, {{"index", index_into("V")}}},
            {"one feature", {3, 33, 7, 1}, {{"index", from(padded)}}},
            {"one position", {1, 1, 5, 300}, {{"index", index_into("V")}}},
            {"rows shorter than a warp", {2, 31, 40, 12}, {{"index", index_into("V")}}},
            {"odd rows", {3, 17, 9, 33}, {{"index", from(padded)}}},
            {"every block full", {2, 16, 100, 64}, {{"index", index_into("V")}}},
            {"many positions", {4, 250, 30, 20}, {{"index", from(padded)}}},
            {"two rows, again and again", {2, 40, 50, 20}, {{"index", from(repeated)}}},
            {"in order", {1, 60, 80, 8}, {{"index", sorted(index_into("V"))}}},
            {"rows that do not exist", {3, 20, 11, 16}, {{"index", from(outside)}}}}),
        .large = {{"B", 3}, {"L", 150}, {"V", 700}, {"E", 132}},
        .bench = {{"B", 8}, {"L", 512}, {"V", 10'000}, {"E", 512}},
        .reference = gather<double>, .cross_check = handed_out, .cpu = gather<float>}},
    .variants = {
        {.name = "2d", .title = "2D (positions along x, features along y)",
         .summary = "A block of 32 x 8 threads: neighbouring threads have neighbouring positions",
         .regions = {"two_dims"}, .budget = kElementwise},
        {.name = "coalesced", .title = "COALESCED (neighbouring threads, neighbouring features)",
         .summary = "A thread an element of the result, in the order in which they lie in memory",
         .regions = {"coalesced"}, .budget = kCoalesced},
        {.name = "vector", .title = "VECTOR (four features a thread)",
         .summary = "Sixteen bytes a load, and one index for four elements",
         .regions = {"vector"}, .refuses = {{E % 4, "--vector moves four floats at a time: E is a multiple of 4."}},
         .required = false,
         // An index for four elements.
         .budget = {.global_reads = 1.25 * B * L * E, .global_writes = B * L * E,
                    .global_requests = 3 * ceil(B * L * E / 128)}}}};
