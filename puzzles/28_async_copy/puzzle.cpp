// Puzzle 28, Asynchronous copy and overlap: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound T = "T", R = "R", C = "C";

/// Row by row: what comes to a column is the cheapest of what the columns around it have cost.
template <class Value>
static void cross_rows(const Dims& dims, HostTensors<Value>& t) {
  const auto x = t["x"], out = t["out"];
  const int rows = dims["R"], columns = dims["C"];
  std::vector<Value> sums(columns);
  for (int terrain = 0; terrain < dims["T"]; ++terrain) {
    Value* cost = &out[terrain * columns];
    std::fill_n(cost, columns, Value(0));
    for (int row = 0; row < rows; ++row) {
      for (int c = 0; c < columns; ++c) sums[c] = cost[c] + x[(terrain * rows + row) * columns + c];
      for (int c = 0; c < columns; ++c) {
        cost[c] = sums[c];
        for (int from = std::max(0, c - kReach); from <= std::min(columns - 1, c + kReach); ++from)
          cost[c] = std::min(cost[c], sums[from] + Value(std::abs(from - c)));
      }
    }
  }
}

/// A move of up to kReach columns as so many moves of one, all for 1 each.
static void cross_by_single_steps(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const int rows = dims["R"], columns = dims["C"];
  for (int terrain = 0; terrain < dims["T"]; ++terrain) {
    std::vector<double> cost(columns, 0.0);
    for (int row = 0; row < rows; ++row) {
      for (int c = 0; c < columns; ++c) cost[c] += x[(terrain * rows + row) * columns + c];
      for (int step = 0; step < kReach; ++step) {
        const std::vector<double> before = cost;
        for (int c = 0; c + 1 < columns; ++c) {
          cost[c] = std::min(cost[c], before[c + 1] + 1);
          cost[c + 1] = std::min(cost[c + 1], before[c] + 1);
        }
      }
    }
    std::copy(cost.begin(), cost.end(), out.begin() + terrain * columns);
  }
}

/// A barrier a row, and one before the first.
static Budget once_through() {
  return {.global_reads = T * R * C, .global_writes = T * C, .barriers = T * (R + 1), .conflicts = 0};
}

/// With a ring of `stages` a warp waits for its first row, and then for one part in `stages` of each: of a
/// terrain those of ceil(C/32) warps that copy.
static Budget overlapped(int stages) {
  Budget budget = once_through();
  budget.memory_waits = T * ceil(C / 32) * (R / stages + 1);
  return budget;
}

/// All warps wait for what the block copies. A barrier more makes the pipeline.
static Budget overlapped_by_block() {
  Budget budget = once_through();
  budget.barriers = T * (R + 2);
  budget.memory_waits = T * (kColumns / 32) * (R / kDepth + 1);
  return budget;
}

static std::vector<Refusal> too_wide() {
  return {{C > kColumns, "a terrain is one block, a column a thread: C is at most 256."}};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 28, .title = "Asynchronous copy and overlap", .part = "Part IX: copies and barriers",
    .builds_on = {8, 16},
    .summary = "The cheapest way through a terrain, row after row: rows are copied while the ones before them are computed",
    .tasks = {
        {.tensors = {
             input("x", {"T", "R", "C"}, integers(1, 60)),
             output("out", {"T", "C"}, exact("exact: whole numbers, whose sums stay far below 2^24"))},
         .cases = cases({"T", "R", "C"}, {
             {"teaching", {2, 6, 40}},
             {"one cell", {1, 1, 1}}, {"one row", {2, 1, 50}}, {"one column", {2, 9, 1}}, {"two rows", {3, 2, 33}},
             {"three rows", {1, 3, 64}}, {"four rows", {1, 4, 12}}, {"five rows", {1, 5, 13}},
             {"a column short of the block", {2, 7, 255}}, {"all columns", {2, 8, 256}},
             {"many rows", {1, 45, 100}}, {"many terrains", {9, 3, 31}},
             {"steep", {1, 10, 90}, {{"x", integers(1, 2000)}}}}),
         .large = {{"T", 40}, {"R", 61}, {"C", 203}}, .bench = {{"T", 128}, {"R", 512}, {"C", 256}},
         .reference = cross_rows<double>, .cross_check = cross_by_single_steps, .cpu = cross_rows<float>}},
    .variants = {
        {.name = "plain", .title = "PLAIN (a load a row)",
         .summary = "Each row is loaded when it is needed",
         .regions = {"cross"}, .refuses = too_wide(), .required = false, .budget = once_through()},
        {.name = "one-stage", .title = "ONE STAGE (a copy a row)",
         .summary = "Each row is copied when it is needed: a copy, a wait, a row",
         .regions = {"cross", "fetch", "stages"}, .refuses = too_wide(), .budget = once_through()},
        {.name = "two-stages", .title = "TWO STAGES (a row ahead)",
         .summary = "The next row is copied while this one is computed",
         .regions = {"cross", "fetch", "stages"}, .refuses = too_wide(), .budget = overlapped(2)},
        {.name = "four-stages", .title = "FOUR STAGES (three rows ahead)",
         .summary = "Three rows are on their way while one is computed",
         .regions = {"cross", "fetch", "stages"}, .refuses = too_wide(), .budget = overlapped(kDepth)},
        {.name = "pipeline", .title = "PIPELINE (three rows ahead, by cuda::pipeline)",
         .summary = "The block copies rows together and keeps in step by acquire, commit, wait and release",
         .regions = {"cross", "pipeline"}, .refuses = too_wide(), .budget = overlapped_by_block()},
        {.name = "streams", .title = "STREAMS (whole arrays, to the device and back)",
         .summary = "A program: recordings are copied in both directions while others are computed",
         .file = "streams.cu", .regions = {"pinned", "overlap"},
         .program = Program{
             .prints = {"results: right", "overlap: yes"},
             .calls = {
                 {" copy ", false,
                  "a copy makes the host wait until it is done, so that nothing else is asked for meanwhile. cudaMemcpy does "
                  "that, and so does cudaMemcpyAsync where the host's memory is not pinned (cudaMallocHost)"},
                 {"push:overlapped .*wait .*(copy_async|launch:)", false,
                  "the host waits while there is more to ask for: one wait behind the last copy is enough"},
                 {"push:overlapped .*(copy_async|launch:[^ ]*) (clock|pop) ", false,
                  "the host goes on to use the results while the device may still copy them: it waits for nothing"},
                 {"@1 ", true,
                  "all work is given to the default stream, which does it in order: the stream is the last argument of "
                  "cudaMemcpyAsync and the fourth one between <<< and >>>"},
                 {"@1 .*@2 ", true,
                  "all work is given to one stream, which does it in order: recording i goes through stream i % kStreams"},
                 {"event |^@0 (copy_async |launch:smooth_kernel |wait )+@1 ((copy_async )+(launch:smooth_kernel )+(copy_async )+)+(wait )?"
                  "@2 ((copy_async )+(launch:smooth_kernel )+(copy_async )+)+(wait )?"
                  "(@3 ((copy_async )+(launch:smooth_kernel )+(copy_async )+)+(wait )?)?$", true,
                  "a stream is given other work than, for each of its recordings, the copy to the device, the kernel and the copy "
                  "back: it does what it is given in that order, and between two streams there is no order"},
                 {"@[1-9] copy_async copy_async [^@]*launch:", false,
                  "a stream copies several recordings before its first kernel, which therefore waits for all of them: ask for a "
                  "recording's copy, its kernel and the copy back one after the other"},
                 {"^@0 [^@]*wait [^@]*wait [^@]*wait |@1 [^@]*wait @2 [^@]*wait (@3 [^@]*wait )?$", true,
                  "the host waits for some of the streams, and not for all of them: what the others copy may not be there yet"}}}}}};
