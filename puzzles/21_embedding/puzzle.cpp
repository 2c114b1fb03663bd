// Puzzle 21, Embedding: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>

#include "sizes.h"

namespace {

using workbook::Dims;
using workbook::HostTensors;

template <class T>
void gather(const Dims& dims, HostTensors<T>& t) {
  const int features = dims["E"], vocabulary = dims["V"];
  for (int p = 0; p < dims["B"] * dims["L"]; ++p) {
    const auto row = static_cast<long long>(t["index"][p]);
    for (int e = 0; e < features; ++e)
      t["out"][p * features + e] = row >= 0 && row < vocabulary ? t["table"][row * features + e] : T{0};
  }
}

/// Seen from the table: each row goes to all positions that ask for it. What nobody gives stays zero.
void handed_out(const Dims& dims, HostTensors<double>& t) {
  const int features = dims["E"], positions = dims["B"] * dims["L"];
  const auto table = t["table"], out = t["out"], index = t["index"];
  std::fill(out.begin(), out.end(), 0.0);
  for (int row = 0; row < dims["V"]; ++row)
    for (int p = 0; p < positions; ++p)
      if (index[p] == row) std::copy_n(table.begin() + row * features, features, out.begin() + p * features);
}

/// Texts of different lengths: the first of each row are words, repeated and in no order, the rest is -1.
void padded(const Dims& dims, std::span<double> values, workbook::Random& random) {
  const int length = dims["L"];
  for (std::size_t begin = 0; begin < values.size(); begin += length) {
    const auto words = random.integer(1, length);
    for (int l = 0; l < length; ++l)
      values[begin + l] = l < words ? static_cast<double>(random.integer(0, dims["V"] - 1)) : -1.0;
  }
}
/// Some that lie just outside.
void outside(const Dims& dims, std::span<double> values, workbook::Random& random) {
  const double vocabulary = dims["V"];
  const double wrong[] = {-1.0, -2.0, vocabulary, vocabulary + 1};
  for (double& value : values) {
    const auto choice = random.integer(0, 7);
    value = choice < 4 ? wrong[choice] : static_cast<double>(random.integer(0, dims["V"] - 1));
  }
  values[0] = vocabulary;
}
/// Words, and now and then a number past 32 bits, of which the lower 32 would be a word.
void words(const Dims& dims, std::span<double> values, workbook::Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(random.integer(0, dims["V"] - 1)) + (i % 50 == 7 ? 4294967296.0 : 0.0);
}
/// The first and the last row, again and again, beside each other.
void repeated(const Dims& dims, std::span<double> values, workbook::Random& random) {
  for (double& value : values) value = random.integer(0, 2) == 0 ? 0.0 : dims["V"] - 1.0;
}

std::string no_multiple_of_four(const Dims& dims) {
  return dims["E"] % 4 != 0 ? "--vector moves four floats at a time: E is a multiple of 4." : "";
}

/// At most an index and an element of the table for each element of the result.
double element_reads(const Dims& dims) { return 2.0 * dims["B"] * dims["L"] * dims["E"]; }
/// An index for four elements.
double vector_reads(const Dims& dims) { return 1.25 * dims["B"] * dims["L"] * dims["E"]; }
double stores(const Dims& dims) { return 1.0 * dims["B"] * dims["L"] * dims["E"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 21,
    .title = "Embedding",
    .part = "Part V: your kernel as an operator",
    .summary = "Copy a row of a table for each index: the index decides the address, the layout decides the cost",
    .tensors = {
        {.name = "index", .type = Type::i64, .role = Role::input, .shape = {"B", "L"}, .fill = from(words)},
        {.name = "table", .role = Role::input, .shape = {"V", "E"}, .fill = normal(0.0, 1.0)},
        {.name = "out", .role = Role::output, .shape = {"B", "L", "E"}, .tolerance = exact("rows are copied")},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 2}, {"L", 16}, {"V", 10}, {"E", 32}}, .fills = {{"index", from(padded)}}},
        {.name = "one of each", .dims = {{"B", 1}, {"L", 1}, {"V", 1}, {"E", 1}}, .fills = {{"index", index_into("V")}}},
        {.name = "one feature", .dims = {{"B", 3}, {"L", 33}, {"V", 7}, {"E", 1}}, .fills = {{"index", from(padded)}}},
        {.name = "one position", .dims = {{"B", 1}, {"L", 1}, {"V", 5}, {"E", 300}}, .fills = {{"index", index_into("V")}}},
        {.name = "rows shorter than a warp", .dims = {{"B", 2}, {"L", 31}, {"V", 40}, {"E", 12}}, .fills = {{"index", index_into("V")}}},
        {.name = "odd rows", .dims = {{"B", 3}, {"L", 17}, {"V", 9}, {"E", 33}}, .fills = {{"index", from(padded)}}},
        {.name = "every block full", .dims = {{"B", 2}, {"L", 16}, {"V", 100}, {"E", 64}}, .fills = {{"index", index_into("V")}}},
        {.name = "many positions", .dims = {{"B", 4}, {"L", 250}, {"V", 30}, {"E", 20}}, .fills = {{"index", from(padded)}}},
        {.name = "two rows, again and again", .dims = {{"B", 2}, {"L", 40}, {"V", 50}, {"E", 20}},
         .fills = {{"index", from(repeated)}}},
        {.name = "in order", .dims = {{"B", 1}, {"L", 60}, {"V", 80}, {"E", 8}},
         .fills = {{"index", sorted(index_into("V"))}}},
        {.name = "rows that do not exist", .dims = {{"B", 3}, {"L", 20}, {"V", 11}, {"E", 16}},
         .fills = {{"index", from(outside)}}},
    },
    .large = {{"B", 3}, {"L", 150}, {"V", 700}, {"E", 132}},
    .bench = {{"B", 8}, {"L", 512}, {"V", 10'000}, {"E", 512}},
    .reference = gather<double>,
    .cross_check = handed_out,
    .cpu = gather<float>,
    .variants = {
        {.name = "2d",
         .title = "2D (positions along x, features along y)",
         .summary = "A block of 32 x 8 threads: neighbouring threads have neighbouring positions",
         .regions = {"two_dims"},
         .budget = {.global_reads = element_reads, .global_writes = stores}},
        {.name = "coalesced",
         .title = "COALESCED (neighbouring threads, neighbouring features)",
         .summary = "A thread an element of the result, in the order in which they lie in memory",
         .regions = {"coalesced"},
         .budget = {.global_reads = element_reads, .global_writes = stores}},
        {.name = "vector",
         .title = "VECTOR (four features a thread)",
         .summary = "Sixteen bytes a load, and one index for four elements",
         .regions = {"vector"},
         .refuses = no_multiple_of_four,
         .required = false,
         .budget = {.global_reads = vector_reads, .global_writes = stores}},
    },
};
// clang-format on
