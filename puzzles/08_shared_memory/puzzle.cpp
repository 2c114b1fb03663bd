// Puzzle 08, Shared memory: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>
#include <vector>

using namespace workbook;

constexpr std::size_t kFrame = 128;  // as in kernels.cu: the shapes of the frames are part of the task

template <class T>
static void autocorrelation(const Dims&, HostTensors<T>& t) {
  const auto out = t["out"], x = t["x"];
  for (std::size_t first = 0; first < x.size(); first += kFrame) {
    const std::size_t count = std::min(kFrame, x.size() - first);
    for (std::size_t lag = 0; lag < count; ++lag) {
      T sum{};
      for (std::size_t k = 0; k + lag < count; ++k) sum += x[first + k] * x[first + k + lag];
      out[first + lag] = sum;
    }
  }
}

/// Without a product of two different samples: 2ab = a^2 + b^2 - (b - a)^2, summed over all pairs of a lag.
/// The squares of the samples that have a partner come from running sums.
static void autocorrelation_by_squares(const Dims&, HostTensors<double>& t) {
  const auto out = t["out"], x = t["x"];
  for (std::size_t first = 0; first < x.size(); first += kFrame) {
    const std::size_t count = std::min(kFrame, x.size() - first);
    std::vector<double> squares(count + 1, 0.0);  // of the first so many samples
    for (std::size_t k = 0; k < count; ++k) squares[k + 1] = squares[k] + x[first + k] * x[first + k];
    for (std::size_t lag = 0; lag < count; ++lag) {
      double differences = 0.0;
      for (std::size_t k = lag; k < count; ++k) {
        const double difference = x[first + k] - x[first + k - lag];
        differences += difference * difference;
      }
      out[first + lag] = (squares[count - lag] + squares[count] - squares[lag] - differences) / 2.0;
    }
  }
}

/// A tone with a period of 20 samples: a square wave that is longer up than down, and some noise on it.
static void tone(const Dims&, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i % 20 < 8 ? 7.0 : -5.0) + static_cast<double>(random.integer(-2, 2));
}

/// Both samples of each pair.
static double reads_of_pairs(const Dims& dims) {
  const double n = dims["N"], frame = kFrame, tail = dims["N"] % static_cast<int>(kFrame);
  return (n - tail) * (frame + 1.0) + tail * (tail + 1.0);
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 8, .title = "Shared memory", .part = "Part I: fundamentals",
    .builds_on = {6},
    .summary = "Compare each frame of a signal with itself, shifted: what a block reads again and again, it shares",
    .tasks = {{
        .tensors = {
            input("x", {"N"}, integers(-7, 9)),
            output("out", {"N"},
                exact("samples are whole numbers up to 9, and a sum of 128 products of them is below 2^24: float "
                      "holds each sum exactly, in any order"))},
        .cases = cases({"N"}, {
            {"teaching", {300}, {{"x", from(tone)}}},  // two frames and 44 samples
            {"one sample", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
            {"one full frame", {128}}, {"a frame and a sample", {129}},
            {"all negative", {250}, {{"x", integers(-9, -1)}}},
            {"many frames", {1000}}}),
        .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
        .reference = autocorrelation<double>, .cross_check = autocorrelation_by_squares,
        .cpu = autocorrelation<float>}},
    .variants = {
        {.name = "global", .title = "GLOBAL MEMORY", .summary = "Each thread reads all it needs from global memory",
         .regions = {"global"}, .budget = {.global_reads = reads_of_pairs, .global_writes = "N"}},
        {.name = "shared", .title = "SHARED MEMORY",
         .summary = "Each thread reads one sample, and the block shares them",
         .regions = {"stage", "sums"},
         .budget = {.global_reads = "N", .global_writes = "N", .barriers = ceil(Bound("N") / kFrame)}}}};
