// Puzzle 30, Profiling: what it is and how it is checked. Moving sums by three kernels that are slow for
// reasons of their own, questions about their counters, and the three repaired.
#include <workbook/puzzle.h>

#include <algorithm>

#include "sizes.h"

using namespace workbook;

const Bound T = "T", C = "C";

template <class N>
static void moving_sums(const Dims& dims, HostTensors<N>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t channels = dims["C"];
  std::fill(out.begin(), out.end(), N{0});
  for (std::size_t k = 0; k < kWindow; ++k)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += x[i + k * channels];
}

/// By way of sums from the first step on: a window's is the difference of two.
static void moving_sums_by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t channels = dims["C"], steps = out.size() / channels;
  std::vector<double> before(steps + kWindow);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 1; i < before.size(); ++i) before[i] = before[i - 1] + x[(i - 1) * channels + c];
    for (std::size_t i = 0; i < steps; ++i) out[i * channels + c] = before[i + kWindow] - before[i];
  }
}

/// Multiples of 1/64 from -2 to 5.
static void sixty_fourths(const Dims&, std::span<double> values, Random& random) {
  for (double& value : values) value = static_cast<double>(random.integer(-128, 320)) / 64;
}

/// Sectors of `rows` rows that are read or written in pieces of 32 channels. Where rows do not begin at
/// multiples of a sector, a piece may meet one more.
static Bound sectors_of(Bound rows) {
  return [rows](const Dims& dims) {
    const auto channels = static_cast<double>(dims["C"]);
    return rows(dims) * (dims["C"] % 8 == 0 ? channels / 8 : 1.25 * channels / 8 + 2);
  };
}

const std::vector<Refusal> kNoVectors = {{[](const Dims& dims) { return dims["C"] % kLanes != 0; },
                                          "rows are made of float4: C is a multiple of 4."}};

/// Each element of out once, and x once for each of its windows.
const Budget kWindows = {.global_reads = kWindow * T * C, .global_writes = T * C};
static Budget with_sectors(Bound sectors) {
  Budget budget = kWindows;
  budget.sectors = sectors;
  return budget;
}

/// Bands of 32 to 64 steps, with the loads of several steps on their way together.
const Budget kAheadBudget = {.global_reads = 5 * T * C + 64 * C,
                             .global_writes = T * C,
                             .reads_a_thread = 200,
                             .memory_waits = ceil(C / kWarpSize) * (1.08 * T + 20)};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 30, .title = "Profiling", .part = "Part X: performance",
    .builds_on = {4, 11, 16},
    .summary = "Three kernels for moving sums, up to a hundred times too slow: what their counters say, and the repairs",
    .tasks = {{
        .tensors = {
            input("x", {"T+63", "C"}, from(sixty_fourths)),
            output("out", {"T", "C"}, exact("exact: x has multiples of 1/64, whose sums over a window a float holds"))},
        .cases = cases({"T", "C"}, {
            {"teaching", {40, 128}},
            {"one step", {1, 4}}, {"one step of many channels", {1, 1000}}, {"four channels", {300, 4}},
            {"a step short of a warp", {31, 36}}, {"a step more than a warp", {33, 28}},
            {"long", {1000, 12}}, {"wide rows", {33, 1024}}, {"several tiles", {131, 264}}, {"odd rows", {70, 260}}}),
        .large = {{"T", 301}, {"C", 1036}}, .bench = {{"T", 4096}, {"C", 1024}},
        .reference = moving_sums<double>, .cross_check = moving_sums_by_differences, .cpu = moving_sums<float>}},
    .variants = {
        {.name = "columns", .title = "COLUMNS (lanes a row apart)",
         .summary = "Given: each request of a warp meets 32 rows", .given = true},
        {.name = "thrash", .title = "THRASH (wide tiles, two steps high)",
         .summary = "Given: a warp reads half a megabyte before it comes back to a row", .given = true,
         .refuses = kNoVectors},
        {.name = "chain", .title = "CHAIN (a thread a channel)",
         .summary = "Given: each step waits for the one before", .given = true},
        {.name = "questions", .title = "QUESTIONS (seven, about counters)",
         .summary = "The three given kernels one after the other, and what their counters say",
         .file = "questions.cu",
         .program = Program{.prints = {"columns_kernel: 0 of 131072", "thrash_kernel: 0 of 131072", "chain_kernel: 0 of 131072"},
                            .answers = {{"spread", "counter: most sectors a load request"},
                                        {"sectors", "counter: sectors a load request of columns_kernel"},
                                        {"found", "counter: load sectors found in L1 of columns_kernel"},
                                        {"missing", "counter: least load sectors found in L1"},
                                        {"fewest", "counter: least global load requests"},
                                        {"warps", "counter: warps launched of chain_kernel"},
                                        {"waits", "counter: waits for memory a warp of chain_kernel"}}}},
        {.name = "across", .title = "ACROSS (lanes side by side)",
         .summary = "The same sums by warps that read along rows", .regions = {"across"},
         .budget = with_sectors(sectors_of(2 * T + 63 * ceil(T / kDown)))},
        {.name = "tiles", .title = "TILES (narrow and high)",
         .summary = "The kernel of --thrash with a tile that you choose", .regions = {"tile"},
         .refuses = kNoVectors, .budget = with_sectors(sectors_of(2 * T + 63 * ceil(T / 64)))},
        {.name = "ahead", .title = "AHEAD (bands of steps, loads before stores)",
         .summary = "The kernel of --chain cut into bands, with many loads under way", .regions = {"band", "ahead"},
         .budget = kAheadBudget}}};
