// Puzzle 24, Warp sum: what it is and how it is checked.
#include <workbook/puzzle.h>

using namespace workbook;

const Bound R = "R", C = "C", elements = R * C;

template <class T>
static void center(const Dims& dims, HostTensors<T>& t) {
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
static void center_by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t first = 0; first < x.size(); first += columns) {
    double differences = 0.0;
    for (std::size_t c = columns; c-- > 1;) differences += x[first + c] - x[first];
    for (std::size_t c = 0; c < columns; ++c)
      out[first + c] = x[first + c] - x[first] - differences / static_cast<double>(columns);
  }
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 24, .title = "Warp sum", .part = "Part VII: warps",
    .builds_on = {12},
    .summary = "Centre each row of a matrix: its sum without shared memory, in the registers of a warp",
    .tasks = {{
        .tensors = {
            input("x", {"R", "C"}, uniform(-4.0, 12.0)),
            output("out", {"R", "C"},
                {(floor(C / 32) + 8) * 0x1p-24 * 12, 0.0,
                 "12 (C/32 + 8) 2^-24: elements are at most 12 in size; a lane adds up C/32 of them, five rounds of "
                 "shuffles or eight of a tree follow, and division and subtraction round once each"})},
        .cases = cases({"R", "C"}, {
            {"teaching", {3, 40}},
            {"one element", {1, 1}},  // its own mean: 0
            {"rows of one", {9, 1}}, {"a lane short of a warp", {5, 31}}, {"one warp", {8, 32}},
            {"a lane more than a warp", {10, 33}}, {"a thread more than a block", {2, 257}},
            {"long rows", {3, 1000}},
            {"around zero", {4, 100}, {{"x", uniform(-1.0, 1.0)}}}}),
        .large = {{"R", 301}, {"C", 333}}, .bench = {{"R", 1 << 16}, {"C", 256}},
        .reference = center<double>, .cross_check = center_by_differences, .cpu = center<float>}},
    .variants = {
        {.name = "warp", .title = "WARP (a warp a row)",
         .summary = "A warp a row: shuffles, no shared memory, no barrier",
         .regions = {"warp_sum", "warp_row"},
         // Five shuffles, and one more for whoever hands the sum of lane 0 to all.
         .budget = {.global_reads = 2 * elements, .global_writes = elements, .barriers = 0,
                    .global_requests = 3 * R * ceil(C / 32), .shared_requests = 0, .warp_operations = 6 * R}},
        {.name = "block", .title = "BLOCK (a block of eight warps a row)",
         .summary = "A block a row: a value a warp through shared memory, one barrier",
         .regions = {"warp_sum", "block_sum"},
         // Two barriers are enough for whoever lets one warp add up the sums and tell the others; one is possible.
         // Eight warps store a value and read eight.
         .budget = {.global_reads = 2 * elements, .global_writes = elements, .barriers = 2 * R, .conflicts = 0,
                    .shared_requests = 80 * R, .warp_operations = 88 * R}},
        {.name = "tree", .title = "TREE (Puzzle 12's, given)",
         .summary = "A block a row with the tree of Puzzle 12: given, to compare with",
         .regions = {"warp_sum"}, .required = false}}};
