// Puzzle 26, Advanced warp: what it is and how it is checked. Five tasks on the rows of a matrix.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C", elements = R * C;

/// How often the warps look at 32 elements, and once more for each row.
const Bound rounds = R * (ceil(C / (kAhead * kWarpSize)) * kAhead + 1);

template <class T>
static void largest(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"], columns_of = t["columns_of"];
  const std::size_t columns = dims["C"];
  for (std::size_t r = 0; r < columns_of.size(); ++r) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < columns; ++c)
      if (x[r * columns + c] > x[r * columns + best]) best = c;
    columns_of[r] = static_cast<T>(best);
    for (std::size_t c = 0; c < columns; ++c)
      out[r * columns + c] = x[r * columns + c] - x[r * columns + best];
  }
}

/// From the columns, sorted by what stands there; stable, so that the first of equals stays the first.
static void largest_by_order(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"], columns_of = t["columns_of"];
  const int columns = dims["C"];
  for (std::size_t r = 0; r < columns_of.size(); ++r) {
    const double* row = &x[r * columns];
    std::vector<int> order(columns);
    for (int c = 0; c < columns; ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return row[a] > row[b]; });
    columns_of[r] = order[0];
    for (int c = 0; c < columns; ++c) out[r * columns + c] = row[c] - row[order[0]];
  }
}

template <class T>
static void totals(const Dims& dims, HostTensors<T>& t) {
  const std::size_t columns = dims["C"];
  for (std::size_t first = 0; first < t["x"].size(); first += columns)
    reference::inclusive_scan<T>(t["x"].subspan(first, columns), t["out"].subspan(first, columns));
}

/// From the end of each row: what is left of its sum when all elements behind are taken away.
static void totals_from_the_end(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = dims["C"];
  for (std::size_t first = 0; first < x.size(); first += columns) {
    double left = 0.0;
    for (std::size_t c = 0; c < columns; ++c) left += x[first + c];
    for (std::size_t c = columns; c-- > 0;) {
      out[first + c] = left;
      left -= x[first + c];
    }
  }
}

/// The kept elements of each row, then `others`: those that are not, or zeros.
template <class T, bool kOthers>
static void split(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"], counts = t["counts"];
  const std::size_t columns = dims["C"];
  for (std::size_t r = 0; r < counts.size(); ++r) {
    std::size_t place = 0;
    for (std::size_t c = 0; c < columns; ++c)
      if (x[r * columns + c] >= 0) out[r * columns + place++] = x[r * columns + c];
    counts[r] = static_cast<T>(place);
    for (std::size_t c = 0; c < columns; ++c)
      if (!kOthers)
        continue;
      else if (x[r * columns + c] < 0)
        out[r * columns + place++] = x[r * columns + c];
    while (place < columns) out[r * columns + place++] = 0;
  }
}

template <bool kOthers>
static void split_by_library(const Dims& dims, HostTensors<double>& t) {
  const std::size_t columns = dims["C"];
  for (std::size_t r = 0; r < t["counts"].size(); ++r) {
    const auto row = t["x"].subspan(r * columns, columns);
    std::vector<double> moved(row.begin(), row.end());
    const auto others =
        std::stable_partition(moved.begin(), moved.end(), [](double value) { return value >= 0; });
    t["counts"][r] = static_cast<double>(others - moved.begin());
    if (!kOthers) std::fill(others, moved.end(), 0.0);
    std::copy(moved.begin(), moved.end(), t["out"].begin() + static_cast<std::ptrdiff_t>(r * columns));
  }
}

template <class T>
static void ranks(const Dims& dims, HostTensors<T>& t) {
  const auto keys = t["keys"], ranks = t["ranks"], counts = t["counts"];
  std::fill(counts.begin(), counts.end(), T(0));
  for (std::size_t i = 0; i < keys.size(); ++i)
    ranks[i] = counts[i / dims["C"] * kKeys + static_cast<std::size_t>(keys[i])]++;
}

/// From the columns of a row, sorted by key and stably: an element's rank is how far it stands behind the
/// first of its key.
static void ranks_by_order(const Dims& dims, HostTensors<double>& t) {
  const auto keys = t["keys"], ranks = t["ranks"], counts = t["counts"];
  const int columns = dims["C"];
  for (std::size_t first = 0; first < keys.size(); first += columns) {
    std::vector<int> order(columns);
    for (int c = 0; c < columns; ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return keys[first + a] < keys[first + b]; });
    int place = 0;
    for (int k = 0; k < kKeys; ++k) {
      const int begin = place;
      for (; place < columns && keys[first + order[place]] == k; ++place)
        ranks[first + order[place]] = place - begin;
      counts[first / columns * kKeys + k] = place - begin;
    }
  }
}

/// Most elements have key 2, and key 7 is the only other one.
static void skewed(const Dims&, std::span<double> values, Random& random) {
  for (double& value : values) value = random.uniform() < 0.9 ? 2.0 : 7.0;
}

/// Values travel in registers, by so many `operations` of a warp for each 32 elements.
static Budget in_registers(const Bound& reads, const Bound& writes, double operations) {
  return {.global_reads = reads,
          .global_writes = writes,
          .barriers = 0,
          .shared_requests = 0,
          .warp_operations = rounds * operations};
}

const Tolerance kMoved = exact("exact: elements are moved, and none is computed");
const Tolerance kCounted = exact("exact: elements are counted");

static std::vector<Case> ragged(const std::vector<CaseRow>& more) {
  std::vector<CaseRow> rows = {{"teaching", {3, 40}},  // a whole round of 32 lanes, and 8 elements
                               {"one element", {1, 1}},
                               {"rows of one", {9, 1}},
                               {"a lane short of a warp", {5, 31}},
                               {"one warp", {8, 32}},
                               {"a lane more than a warp", {10, 33}},
                               {"a thread more than a block", {2, 257}},
                               {"long rows", {3, 1000}}};
  rows.insert(rows.end(), more.begin(), more.end());
  return cases({"R", "C"}, rows);
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 26, .title = "Advanced warp", .part = "Part VII: warps",
    .builds_on = {14, 24, 25},
    .summary = "Maximum, running totals, partition and ranks in rows, by butterflies, scans, votes and matches of a warp",
    .tasks = {
        {.name = "largest",
         .tensors = {
             input("x", {"R", "C"}, uniform(-9.0, 5.0)),
             output("out", {"R", "C"}, {0x1p-21, 0.0, "2^-21: one subtraction rounds by half an ulp of a number of at most 18, which is 2^-21 or less"}),
             output("columns_of", Type::i32, {"R"}, exact("exact: a column"))},
         .cases = ragged({{"equal elements", {6, 200}, {{"x", integers(-3.0, 2.0)}}}}),
         .large = {{"R", 301}, {"C", 333}}, .bench = {{"R", 1 << 16}, {"C", 256}},
         .reference = largest<double>, .cross_check = largest_by_order, .cpu = largest<float>},
        {.name = "totals",
         .tensors = {
             input("x", Type::i32, {"R", "C"}, integers(-40, 90)),
             output("out", Type::i32, {"R", "C"}, exact("int adds whole numbers without rounding"))},
         .cases = ragged({}),
         .large = {{"R", 301}, {"C", 333}}, .bench = {{"R", 1 << 16}, {"C", 256}},
         .reference = totals<double>, .cross_check = totals_from_the_end, .cpu = totals<float>},
        {.name = "compact",
         .tensors = {
             input("x", Type::i32, {"R", "C"}, integers(-999, 999)),
             {.name = "out", .type = Type::i32, .role = Role::output, .shape = {"R", "C"}, .start = Start::zeroed, .tolerance = kMoved},
             output("counts", Type::i32, {"R"}, kCounted)},
         .cases = ragged({{"all kept", {3, 70}, {{"x", integers(1, 999)}}}, {"none kept", {3, 70}, {{"x", integers(-999, -1)}}}}),
         .large = {{"R", 301}, {"C", 333}}, .bench = {{"R", 1 << 16}, {"C", 256}},
         .reference = split<double, false>, .cross_check = split_by_library<false>, .cpu = split<float, false>},
        {.name = "partition",
         .tensors = {
             input("x", Type::i32, {"R", "C"}, integers(-999, 999)),
             output("out", Type::i32, {"R", "C"}, kMoved),
             output("counts", Type::i32, {"R"}, kCounted)},
         .cases = ragged({{"all kept", {3, 70}, {{"x", integers(1, 999)}}}, {"none kept", {3, 70}, {{"x", integers(-999, -1)}}}}),
         .large = {{"R", 301}, {"C", 333}}, .bench = {{"R", 1 << 16}, {"C", 256}},
         .reference = split<double, true>, .cross_check = split_by_library<true>, .cpu = split<float, true>},
        {.name = "ranks",
         .tensors = {
             input("keys", Type::i32, {"R", "C"}, index_into("8")),
             output("ranks", Type::i32, {"R", "C"}, kCounted),
             output("counts", Type::i32, {"R", "8"}, kCounted)},
         .cases = ragged({{"skewed", {4, 100}, {{"keys", from(skewed)}}}}),
         .large = {{"R", 301}, {"C", 333}}, .bench = {{"R", 1 << 16}, {"C", 256}},
         .reference = ranks<double>, .cross_check = ranks_by_order, .cpu = ranks<float>}},
    .variants = {
        {.name = "butterfly", .title = "BUTTERFLY (a warp a row)",
         .summary = "The largest of a row in every lane, with its column", .task = "largest", .regions = {"butterfly"},
         .budget = in_registers(2 * elements, elements + R, 10)},
        {.name = "tree", .title = "TREE (a block a row, given)",
         .summary = "The largest of a row by a tree in shared memory", .task = "largest",
         .regions = {"butterfly"}, .required = false},
        {.name = "scan", .title = "SCAN (a warp a row)",
         .summary = "Running totals by shuffles up, 32 at a time", .task = "totals", .regions = {"warp_scan", "totals"},
         .budget = in_registers(elements, elements, 6)},
        {.name = "scan-shared", .title = "SCAN-SHARED (a block a row, given)",
         .summary = "The same by the scan of Puzzle 14", .task = "totals",
         .regions = {"warp_scan"}, .required = false},
        {.name = "compact", .title = "COMPACT (a warp a row)",
         .summary = "A ballot tells every lane its place", .task = "compact", .regions = {"votes_before", "compact"},
         .budget = in_registers(elements, elements + R, 2)},
        {.name = "compact-shared", .title = "COMPACT-SHARED (a block a row, given)",
         .summary = "The same by scanning ones and zeros", .task = "compact",
         .regions = {"votes_before"}, .required = false},
        {.name = "partition", .title = "PARTITION (a warp a row)",
         .summary = "Kept elements, then the others, by ballots", .task = "partition",
         .regions = {"votes_before", "count", "partition"},
         .budget = in_registers(2 * elements, elements + R, 4)},
        {.name = "partition-shared", .title = "PARTITION-SHARED (a block a row, given)",
         .summary = "The same by scanning ones and zeros", .task = "partition",
         .regions = {"votes_before"}, .required = false},
        {.name = "match", .title = "MATCH (a warp a row)",
         .summary = "Lanes with equal keys find each other, and one of them counts", .task = "ranks",
         .regions = {"votes_before", "match"},
         // A round takes a ballot, a match and two of __syncwarp(), and one for each key where lanes with one key
         // tell each other what its counter held.
         .budget = {.global_reads = elements, .global_writes = elements + R * kKeys, .barriers = 0,
                    .warp_operations = rounds * (6 + kKeys)}},
        {.name = "match-shared", .title = "MATCH-SHARED (a block a row, given)",
         .summary = "The same by a scan for each key", .task = "ranks",
         .regions = {"votes_before"}, .required = false}}};
