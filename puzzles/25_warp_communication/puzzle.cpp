// Puzzle 25, Warp communication: what it is and how it is checked. Three tasks, one for each way of asking
// another lane.
#include <workbook/puzzle.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound N = "N", F = "F";

/// The warps of the ring, and those of the average.
const Bound segments = ceil(N / kKept), parts = ceil(N / (kChunks * kWarpSize));

template <class T>
static void ring(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t size = x.size();
  std::vector<T> before(x.begin(), x.end());
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < size; ++i) {
      const T left = before[(i + size - 1) % size], right = before[(i + 1) % size];
      out[i] = T(0.5) * before[i] + T(0.25) * (left + right);
    }
    std::copy(out.begin(), out.end(), before.begin());
  }
}

/// A step is (1/2 + 1/2 shift)^2 but for a shift: all of them together weigh a point k places away from the
/// leftmost by the binomial coefficient of 2 kSteps over k, divided by 4^kSteps.
static void ring_by_binomials(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const int size = static_cast<int>(x.size());
  for (int i = 0; i < size; ++i) {
    double weight = std::ldexp(1.0, -2 * kSteps), sum = 0.0;
    for (int k = 0; k <= 2 * kSteps; ++k) {
      sum += weight * x[((i - kSteps + k) % size + size) % size];
      weight *= static_cast<double>(2 * kSteps - k) / (k + 1);
    }
    out[i] = sum;
  }
}

template <class T>
static void average(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  for (std::size_t i = 0; i < out.size(); ++i) {
    T sum = 0;
    for (std::size_t k = 0; k < kWindow; ++k) sum += x[i + k];
    out[i] = sum / kWindow;
  }
}

/// A window is the one before it, less its first element, with the one behind it.
static void average_by_sliding(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  double sum = 0.0;
  for (std::size_t k = 0; k < kWindow; ++k) sum += x[k];
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = sum / kWindow;
    if (i + 1 < out.size()) sum += x[i + kWindow] - x[i];
  }
}

template <class T>
static void frames(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"], peaks = t["peaks"];
  for (std::size_t f = 0; f < peaks.size(); ++f) {
    T peak = 0;
    for (std::size_t i = f * kFrame; i < (f + 1) * kFrame; ++i) peak = std::max(peak, std::abs(x[i]));
    peaks[f] = peak;
    for (std::size_t i = f * kFrame; i < (f + 1) * kFrame; ++i) out[i] = peak > 0 ? x[i] / peak : 0;
  }
}

/// By way of the sorted frame: its peak stands at one of the ends.
static void frames_by_order(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"], peaks = t["peaks"];
  for (std::size_t f = 0; f < peaks.size(); ++f) {
    std::vector<double> order(x.begin() + f * kFrame, x.begin() + (f + 1) * kFrame);
    std::sort(order.begin(), order.end());
    peaks[f] = std::max(-order.front(), order.back());
    for (std::size_t k = 0; k < kFrame; ++k)
      out[f * kFrame + k] = peaks[f] == 0 ? 0 : x[f * kFrame + k] * (1 / peaks[f]);
  }
}

/// Frames of which every third is silent.
static void some_silent(const Dims&, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i / kFrame % 3 == 1 ? 0.0 : -5.0 + 8.0 * random.uniform();
}

/// Values travel in registers, by as many shuffles and the like as `warp_operations`.
static Budget in_registers(const Bound& reads, const Bound& writes, const Bound& warp_operations) {
  return {.global_reads = reads,
          .global_writes = writes,
          .barriers = 0,
          .shared_requests = 0,
          .warp_operations = warp_operations};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 25, .title = "Warp communication", .part = "Part VII: warps",
    .builds_on = {11, 13, 24},
    .summary = "A stencil, a moving average and a frame's peak: lanes read each other's registers, across the ends of their warps, too",
    .tasks = {
        {.name = "ring",
         .tensors = {
             input("x", {"N"}, uniform(-4.0, 12.0)),
             output("out", {"N"},
                 {kSteps * 3 * 12 * 0x1p-24, 0.0,
                  "16 * 3 * 12 * 2^-24: a step rounds three times, by half an ulp of a number of at most 12, and weighs what came before by 1 in all"})},
         .cases = cases({"N"}, {
             {"teaching", {200}},  // two segments and eight points
             {"one point", {1}}, {"two points", {2}}, {"fewer than steps", {7}}, {"a lane short of a warp", {31}},
             {"one segment", {96}}, {"one more", {97}}, {"a whole segment with its helpers", {128}},
             {"several blocks", {1999}}}),
         .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
         .reference = ring<double>, .cross_check = ring_by_binomials, .cpu = ring<float>},
        {.name = "average",
         .tensors = {
             input("x", {"N+63"}, uniform(-4.0, 12.0)),
             output("out", {"N"},
                 {64 * 12 * 0x1p-24, 0.0,
                  "64 * 12 * 2^-24: at most 63 additions round by half an ulp of a sum of at most 64 * 12, and are divided by 64"})},
         .cases = cases({"N"}, {
             {"teaching", {200}},  // a warp, and 72 results
             {"one result", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
             {"one warp's", {128}}, {"one more", {129}}, {"a lane more than a block", {1025}},
             {"several blocks", {2500}}}),
         .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
         .reference = average<double>, .cross_check = average_by_sliding, .cpu = average<float>},
        {.name = "frames",
         .tensors = {
             input("x", {"F", "128"}, uniform(-5.0, 3.0)),
             output("out", {"F", "128"},
                 {0.0, 0x1p-22, "2^-22: the reciprocal and the product round by half an ulp each, 2^-24 of the result, and twice that is left"}),
             output("peaks", {"F"}, exact("exact: a magnitude of x, chosen and not computed"))},
         .cases = cases({"F"}, {
             {"teaching", {3}}, {"one frame", {1}}, {"a block", {8}}, {"a frame more than a block", {9}},
             {"silent frames", {20}, {{"x", from(some_silent)}}}}),
         .large = {{"F", 1003}}, .bench = {{"F", 1 << 17}},
         .reference = frames<double>, .cross_check = frames_by_order, .cpu = frames<float>}},
    .variants = {
        {.name = "shuffle", .title = "SHUFFLE (four points a lane)",
         .summary = "Points stay in registers, and lanes ask their neighbours", .task = "ring",
         .regions = {"steps", "kept"}, .budget = in_registers(segments * kSegment, N, segments * 4 * kSteps)},
        {.name = "shared", .title = "SHARED (a thread a point, given)",
         .summary = "Every step through shared memory, with a barrier", .task = "ring",
         .regions = {"steps"}, .required = false},
        {.name = "edges", .title = "EDGES (four points a lane, given)",
         .summary = "As --shuffle, but a lane's edges go through shared memory", .task = "ring",
         .regions = {"steps"}, .required = false},
        {.name = "doubling", .title = "DOUBLING (sums that double)",
         .summary = "Six rounds of shuffles and additions give windows of 64", .task = "average",
         .regions = {"doubling", "averages"},
         // Five rounds, and twice as many shuffles for whoever asks both chunks in each.
         .budget = in_registers(parts * kHeld * kWarpSize, N, parts * kHeld * 10)},
        {.name = "window", .title = "WINDOW (from shared memory, given)",
         .summary = "Every thread adds up 64 elements", .task = "average",
         .regions = {"doubling"}, .required = false},
        {.name = "broadcast", .title = "BROADCAST (a warp a frame)",
         .summary = "The peak goes down to lane 0, and its gain from there to all", .task = "frames",
         .regions = {"peak", "broadcast"},
         .budget = in_registers(F * kFrame, F * (kFrame + 1), F * 10)},
        {.name = "tree", .title = "TREE (a block a frame, given)",
         .summary = "The peak by the tree of Puzzle 12", .task = "frames",
         .regions = {"peak"}, .required = false}}};
