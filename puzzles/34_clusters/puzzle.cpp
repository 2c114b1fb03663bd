// Puzzle 34, Clusters and distributed shared memory: what it is and how it is checked. Two tasks: a softmax,
// which meets twice over a row, and a selection, which meets sixteen times.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C", K = "K", elements = R * C;

static void softmax(const Dims& dims, HostTensors<double>& t) {
  reference::softmax<double>(t["x"], t["y"], dims["R"], dims["C"]);
}

/// As a float adds up a long row: in many parts.
static void softmax_in_parts(const Dims& dims, HostTensors<float>& t) {
  const std::size_t columns = dims["C"];
  for (std::size_t begin = 0; begin < t["x"].size(); begin += columns) {
    const auto x = t["x"].subspan(begin, columns), y = t["y"].subspan(begin, columns);
    const float largest = *std::max_element(x.begin(), x.end());
    std::vector<float> parts(kBlock);
    for (std::size_t i = 0; i < columns; ++i) parts[i % kBlock] += y[i] = std::exp(x[i] - largest);
    for (std::size_t half = kBlock / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) parts[i] += parts[i + half];
    for (float& value : y) value /= parts[0];
  }
}

/// By way of the logarithm: y = exp(x - log(sum of exp(x))), the sum taken over sorted values, the smallest
/// first.
static void softmax_by_logarithm(const Dims& dims, HostTensors<double>& t) {
  const std::size_t columns = dims["C"];
  for (std::size_t begin = 0; begin < t["x"].size(); begin += columns) {
    const auto x = t["x"].subspan(begin, columns), y = t["y"].subspan(begin, columns);
    std::vector<double> sorted(x.begin(), x.end());
    std::sort(sorted.begin(), sorted.end());
    const double middle = sorted.back() - 300.0;  // exp(300) is no trouble to a double
    double sum = 0.0;
    for (const double value : sorted) sum += std::exp(value - middle);
    for (std::size_t i = 0; i < columns; ++i) y[i] = std::exp(x[i] - (middle + std::log(sum)));
  }
}

template <class T>
static void select(const Dims& dims, HostTensors<T>& t) {
  const auto columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t row = 0; row < t["out"].size(); ++row) {
    const auto x = t["x"].subspan(row * columns, columns);
    std::vector<T> values(x.begin(), x.end());
    const auto kth = values.begin() + (dims["K"] - 1);
    std::nth_element(values.begin(), kth, values.end(), std::greater<>());
    t["out"][row] = *kth;
  }
}

/// By counting how often each value occurs.
static void select_by_histogram(const Dims& dims, HostTensors<double>& t) {
  const auto columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t row = 0; row < t["out"].size(); ++row) {
    std::vector<int> occurs(std::size_t{1} << kBits);
    for (const double value : t["x"].subspan(row * columns, columns))
      ++occurs[static_cast<std::size_t>(value)];
    std::size_t value = occurs.size();
    for (auto left = static_cast<int>(dims["K"]); left > 0;) left -= occurs[--value];
    t["out"][row] = static_cast<double>(value);
  }
}

/// By turns: rows near 1000, rows near -1000, rows whose largest is the last or the first by far, plain ones.
static void rows_of_every_kind(const Dims& dims, std::span<double> values, Random& random) {
  const auto columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t row = 0; row * columns < values.size(); ++row) {
    const auto of_row = values.subspan(row * columns, columns);
    const auto kind = row % 5;
    for (double& value : of_row) value = random.normal() + (kind == 0 ? 1000.0 : kind == 1 ? -1000.0 : 0.0);
    if (kind == 2) of_row.back() += 50.0;
    if (kind == 3) of_row.front() += 50.0;
  }
}

/// What no cluster of kCluster blocks holds.
static std::vector<Refusal> too_long() {
  return {{C > kCluster * kMostOfSlice,
           "the shared memory of 8 blocks holds 8 x 16384 values: C is at most 131072."}};
}

static std::vector<Refusal> select_refuses() {
  std::vector<Refusal> refusals = too_long();
  refusals.push_back({K > C, "a row of C values has no K-th largest: K is at most C."});
  return refusals;
}

const std::string_view kWhole = "exact: one of the values is chosen, and none is computed";

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 34, .title = "Clusters and distributed shared memory", .part = "Part XI: tensor cores and clusters",
    .builds_on = {18, 24},
    .summary = "Rows that no block can hold are held by eight, which read and store in each other's shared memory",
    .tasks = {
        {.name = "softmax",
         .tensors = {
             input("x", {"R", "C"}, normal(1.0, 2.0)),
             intermediate("maxima", {"R", "8"}), intermediate("sums", {"R", "8"}),
             output("y", {"R", "C"},
                 {0x1p-24, (ceil(C / (kCluster * kBlock)) + 40) * 0x1p-24,
                  "(ceil(C/4096) + 40) 2^-24 of y, and 2^-24: a thread adds up ceil(C/4096) values, twelve rounds "
                  "follow; rounding x - maximum by 2^-24 of it moves the sum by at most 2^-24 ln(C) of itself, which "
                  "is below 12, and y by less than 2^-24; exponentials of 2 ulp and a division are the rest"})},
         .cases = cases({"R", "C"}, {
             {"teaching", {3, 5000}},  // slices of 625: a block has threads with one value and with two
             {"rows of every kind", {5, 4100}, {{"x", from(rows_of_every_kind)}}},
             {"one element", {2, 1}}, {"fewer elements than blocks", {3, 7}}, {"empty slices", {2, 9}},
             {"a value a thread", {2, 4096}}, {"one more", {1, 4097}}, {"short slices", {4, 250}}}),
         .large = {{"R", 40}, {"C", 50'001}}, .bench = {{"R", 256}, {"C", kCluster * kMostOfSlice}},
         .reference = softmax, .cross_check = softmax_by_logarithm, .cpu = softmax_in_parts},
        {.name = "select",
         .tensors = {
             input("x", Type::i32, {"R", "C"}, integers(0, (1 << kBits) - 1)),
             intermediate("counts", Type::i32, {"R", "16"}),
             output("out", Type::i32, {"R"}, exact(kWhole))},
         .cases = cases({"R", "C", "K"}, {
             {"teaching", {3, 5000, 50}},
             {"one element", {2, 1, 1}}, {"the largest", {3, 700, 1}}, {"the smallest", {2, 700, 700}},
             {"empty slices", {3, 9, 4}}, {"many equal values", {3, 4097, 900}, {{"x", integers(40'000, 40'006)}}},
             {"small values", {2, 4096, 2000}, {{"x", integers(0, 3)}}}}),
         .large = {{"R", 40}, {"C", 50'001}, {"K", 1000}},
         .bench = {{"R", 256}, {"C", kCluster * kMostOfSlice}, {"K", 50}},
         .reference = select<double>, .cross_check = select_by_histogram, .cpu = select<float>}},
    .variants = {
        {.name = "softmax-global", .title = "SOFTMAX-GLOBAL (three launches)",
         .summary = "Blocks meet where a launch ends, and read the row again", .task = "softmax",
         .regions = {"slice"}, .intermediates = {"maxima", "sums"}, .refuses = too_long()},
        {.name = "softmax-cluster", .title = "SOFTMAX-CLUSTER (one launch)",
         .summary = "Eight blocks hold the row and read each other's maximum and sum", .task = "softmax",
         .regions = {"slice", "launch", "pull", "softmax"}, .refuses = too_long(),
         .budget = {.global_reads = elements, .global_writes = elements, .launches = 1}},
        {.name = "select-global", .title = "SELECT-GLOBAL (a launch a bit)",
         .summary = "Sixteen launches count over the row, and each reads it", .task = "select",
         .regions = {"slice", "count"}, .intermediates = {"counts"}, .refuses = select_refuses()},
        {.name = "select-cluster", .title = "SELECT-CLUSTER (one launch)",
         .summary = "Eight blocks hold the row and store their counts into each other's memory", .task = "select",
         .regions = {"slice", "launch", "count", "push", "select"}, .refuses = select_refuses(),
         .budget = {.global_reads = elements, .global_writes = R, .launches = 1}}}};
