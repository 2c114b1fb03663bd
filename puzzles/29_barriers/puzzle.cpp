// Puzzle 29, Barriers: what it is and how it is checked. Two tasks: a filter over time, whose blocks wait for
// data, and a bar of cells, whose blocks wait for each other.
#include <workbook/puzzle.h>

#include <algorithm>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound G = "G", S = "S", C = "C", N = "N", K = "K";
const Bound tiles = G * ceil(S / kSteps);
const Bound blocks = ceil(N / kOwnCells), rounds = ceil(K / kHalo);

template <class T>
static void filter(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], rate = t["rate"], out = t["out"];
  const std::size_t channels = dims["C"], recording = dims["S"] * dims["C"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T before = i % recording < channels ? T(0) : out[i - channels];
    out[i] = before + rate[i / recording * channels + i % channels] * (x[i] - before);
  }
}

/// Each value as the sum of all x until then, with weights that fall by 1 - rate with each step back.
static void filter_by_weights(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], rate = t["rate"], out = t["out"];
  const std::size_t channels = dims["C"], recording = dims["S"] * dims["C"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = rate[i / recording * channels + i % channels];
    double weight = a, sum = 0.0;
    for (std::size_t at = i;; at -= channels, weight *= 1.0 - a) {
      sum += weight * x[at];
      if (at % recording < channels || weight < 1e-18) break;
    }
    out[i] = sum;
  }
}

constexpr double kLeft = 0.3f, kMiddle = 0.5f, kRight = 0.2f;  // as the kernels have them

template <class T>
static void bar(const Dims& dims, HostTensors<T>& t) {
  const auto u = t["u"], out = t["out"];
  std::vector<T> now(u.begin(), u.end()), next = now;
  for (std::int64_t step = 0; step < dims["K"]; ++step) {
    for (std::size_t i = 1; i + 1 < now.size(); ++i)
      next[i] = T(kLeft) * now[i - 1] + T(kMiddle) * now[i] + T(kRight) * now[i + 1];
    std::swap(now, next);
  }
  std::copy(now.begin(), now.end(), out.begin());
}

/// In place, each step by two sweeps: what the cells on the left give, from the right end on, and then what
/// was on the right of them, kept by differences that only the old values have.
static void bar_by_flows(const Dims& dims, HostTensors<double>& t) {
  const auto u = t["u"], out = t["out"];
  std::copy(u.begin(), u.end(), out.begin());
  std::vector<double> rise(out.size());  // from each cell to its right neighbour
  constexpr double kAll = kLeft + kMiddle + kRight;
  for (std::int64_t step = 0; step < dims["K"]; ++step) {
    for (std::size_t i = 0; i + 1 < out.size(); ++i) rise[i] = out[i + 1] - out[i];
    for (std::size_t i = 1; i + 1 < out.size(); ++i)
      out[i] = kAll * out[i] - kLeft * rise[i - 1] + kRight * rise[i];
  }
}

const std::vector<Refusal> kFilterRefuses = {
    {C % 4, "Tiles are moved four floats at a time: C is a multiple of 4."},
    {C > kChannels, "A thread has a channel, and 128 of them are in a block: C is at most 128."}};

/// Each value comes once and goes once; a rate comes once.
static Budget filter_budget(double tiles_of_barriers) {
  return {
      .global_reads = G * (S + 1) * C, .global_writes = G * S * C, .barriers = tiles_of_barriers * tiles + G};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 29, .title = "Barriers", .part = "Part IX: copies and barriers",
    .builds_on = {8, 16, 28},
    .summary = "A filter whose blocks wait for data, and a bar whose blocks wait for each other: arrive early, wait late, meet seldom",
    .tasks = {
        {.name = "filter",
         .tensors = {
             input("x", {"G", "S", "C"}, uniform(-4.0, 4.0)), input("rate", {"G", "C"}, uniform(0.125, 0.875)),
             output("out", {"G", "S", "C"},
                 {48 * 0x1p-24, 0.0,
                  "48 * 2^-24: a step rounds by at most (16 rate + 4) 2^-24, as no value is above 4, and what it inherits "
                  "shrinks by 1 - rate: 16 + 4 / rate in all, with a rate of at least 1/8"})},
         .cases = cases({"G", "S", "C"}, {
             {"teaching", {2, 100, 100}},  // 12 tiles and half a one; 28 threads without a channel
             {"one step", {1, 1, 4}}, {"a step short of a tile", {1, 7, 128}}, {"one tile", {1, 8, 128}},
             {"a step more than a tile", {3, 9, 124}}, {"as many tiles as stages", {1, 64, 128}},
             {"a step more than the stages", {1, 65, 60}}, {"three rounds", {1, 193, 4}}, {"many recordings", {9, 20, 32}}}),
         .large = {{"G", 8}, {"S", 205}, {"C", 116}}, .bench = {{"G", 128}, {"S", 2048}, {"C", 128}},
         .reference = filter<double>, .cross_check = filter_by_weights, .cpu = filter<float>},
        {.name = "bar",
         .tensors = {
             input("u", {"N"}, uniform(-4.0, 4.0)), intermediate("spare", {"N"}),
             output("out", {"N"},
                 {12 * K * 0x1p-24, 0.0,
                  "12 K 2^-24: a step rounds three products and two sums of at most 4, half an ulp each, and mixes what it "
                  "inherits"})},
         .cases = cases({"N", "K"}, {
             {"teaching", {600, 20}},  // three blocks; a round of 16 steps and four more
             {"one step", {500, 1}}, {"one cell", {1, 3}}, {"two cells", {2, 5}}, {"a full round", {449, 16}},
             {"a step more than a round", {224, 17}}, {"a cell more than a tile", {257, 33}},
             {"three rounds", {1000, 48}}}),
         .large = {{"N", 10'007}, {"K", 35}}, .bench = {{"N", 1 << 14}, {"K", 128}},
         .reference = bar<double>, .cross_check = bar_by_flows, .cpu = bar<float>}},
    .variants = {
        {.name = "lockstep", .title = "LOCKSTEP (load, meet, filter, meet)",
         .summary = "One tile; nobody filters while it comes, and nothing comes while they filter", .task = "filter",
         .regions = {"filter"}, .refuses = kFilterRefuses, .budget = filter_budget(2)},
        {.name = "split", .title = "SPLIT (arrive, filter, wait)",
         .summary = "The next tile comes while this one is filtered", .task = "filter",
         .regions = {"filter", "split"}, .refuses = kFilterRefuses, .budget = filter_budget(0)},
        {.name = "pipeline", .title = "PIPELINE (a warp fetches, four filter)",
         .summary = "Up to eight tiles come while one is filtered", .task = "filter",
         .regions = {"filter", "counts", "produce", "consume"}, .refuses = kFilterRefuses, .budget = filter_budget(0)},
        {.name = "launches", .title = "LAUNCHES (one a step)",
         .summary = "The end of a launch is the barrier", .task = "bar",
         .regions = {"cell"}, .intermediates = {"spare"}, .budget = {.global_reads = 3 * N * K, .global_writes = N * K}},
        {.name = "grid", .title = "GRID (one cooperative launch)",
         .summary = "All blocks meet after each step", .task = "bar",
         .regions = {"cell", "grid"}, .intermediates = {"spare"},
         .budget = {.global_reads = 3 * N * K, .global_writes = N * K, .launches = 1, .barriers = K * ceil(N / kTileCells)}},
        {.name = "halo", .title = "HALO (sixteen steps, then meet)",
         .summary = "Blocks compute their neighbours' edges as well, and meet once in 16 steps", .task = "bar",
         .regions = {"halo"}, .intermediates = {"spare"},
         .budget = {.global_reads = kTileCells * blocks * rounds, .global_writes = N * rounds, .launches = 1,
                    .barriers = (K + 3 * rounds) * blocks}}}};
