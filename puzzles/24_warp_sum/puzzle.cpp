// Puzzle 24, Warp sum: what it is and how it is checked.
#include <workbook/puzzle.h>

namespace {

using workbook::Dims;
using workbook::HostTensors;

template <class T>
void center(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t first = 0; first < x.size(); first += columns) {
    T sum = 0;
    for (std::size_t c = 0; c < columns; ++c) sum += x[first + c];
    const T mean = sum / static_cast<T>(columns);
    for (std::size_t c = 0; c < columns; ++c) out[first + c] = x[first + c] - mean;
  }
}

/// The same by way of differences from the row's first element: x[c] - mean is x[c] - x[0] less the mean of
/// all of these. Added up from the other end.
void center_by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t first = 0; first < x.size(); first += columns) {
    double differences = 0.0;
    for (std::size_t c = columns; c-- > 1;) differences += x[first + c] - x[first];
    for (std::size_t c = 0; c < columns; ++c)
      out[first + c] = x[first + c] - x[first] - differences / static_cast<double>(columns);
  }
}

double elements(const Dims& dims) { return 1.0 * dims["R"] * dims["C"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 24,
    .title = "Warp sum",
    .part = "Part VI: warps",
    .summary = "Centre each row of a matrix: its sum without shared memory, in the registers of a warp",
    .tensors = {
        {.name = "x", .role = Role::input, .shape = {"R", "C"}, .fill = uniform(-4.0, 12.0)},
        {.name = "out", .role = Role::output, .shape = {"R", "C"},
         .tolerance = Tolerance{[](const Dims& dims) { return (dims["C"] / 32 + 8.0) * 0x1p-24 * 12.0; }, 0.0,
             "12 (C/32 + 8) 2^-24: elements are at most 12 in size; a lane adds up C/32 of them, five rounds of shuffles or "
             "eight of a tree follow, and division and subtraction round once each"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"R", 3}, {"C", 40}}},
        {.name = "one element", .dims = {{"R", 1}, {"C", 1}}},  // its own mean: 0
        {.name = "rows of one", .dims = {{"R", 9}, {"C", 1}}},
        {.name = "a lane short of a warp", .dims = {{"R", 5}, {"C", 31}}},
        {.name = "one warp", .dims = {{"R", 8}, {"C", 32}}},
        {.name = "a lane more than a warp", .dims = {{"R", 10}, {"C", 33}}},
        {.name = "a thread more than a block", .dims = {{"R", 2}, {"C", 257}}},
        {.name = "long rows", .dims = {{"R", 3}, {"C", 1000}}},
        {.name = "around zero", .dims = {{"R", 4}, {"C", 100}}, .fills = {{"x", uniform(-1.0, 1.0)}}},
    },
    .large = {{"R", 301}, {"C", 333}},
    .bench = {{"R", 1 << 16}, {"C", 256}},
    .reference = center<double>,
    .cross_check = center_by_differences,
    .cpu = center<float>,
    .variants = {
        {.name = "warp",
         .title = "WARP (a warp a row)",
         .summary = "A warp a row: shuffles, no shared memory, no barrier",
         .regions = {"warp_sum", "warp_row"},
         .budget = {.global_reads = [](const Dims& dims) { return 2.0 * elements(dims); },
                    .global_writes = elements,
                    .barriers = 0}},
        {.name = "block",
         .title = "BLOCK (a block of eight warps a row)",
         .summary = "A block a row: a value a warp through shared memory, one barrier",
         .regions = {"warp_sum", "block_sum"},
         // Two barriers are enough for whoever lets one warp add up the sums and tell the others; one is possible.
         .budget = {.global_reads = [](const Dims& dims) { return 2.0 * elements(dims); },
                    .global_writes = elements,
                    .barriers = [](const Dims& dims) { return 2.0 * dims["R"]; },
                    .conflicts = 0}},
        {.name = "tree",
         .title = "TREE (Puzzle 12's, given)",
         .summary = "A block a row with the tree of Puzzle 12: given, to compare with",
         .regions = {"warp_sum"},
         .required = false},
    },
};
// clang-format on
