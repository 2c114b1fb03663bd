// Puzzle 06, Blocks: what it is and how it is checked.
#include <workbook/puzzle.h>

#include "sizes.h"

using namespace workbook;

template <class T>
static void halve_and_add(const Dims&, HostTensors<T>& t) {
  for (T& value : t["x"]) value = value / 2 + 3;
}

/// Each element read once and written once, in one launch.
const Budget kOnce = {.global_reads = "N", .global_writes = "N", .launches = 1};

/// The threads of one wave are busy: with no more elements than they are, each has one at most. A GPU of the
/// table with few multiprocessors runs as many threads as the smaller cases have elements.
static Budget one_wave() {
  Budget budget = kOnce;
  budget.waves = 1;
  budget.threads = ceil(Bound("N") / kBlockSize) * kBlockSize;  // no block without an element
  budget.reads_a_thread = [](const Dims& dims) { return dims["N"] <= 10'007 ? 1 : 64; };
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 6, .title = "Blocks", .part = "Part I: fundamentals",
    .builds_on = {1, 3},
    .summary = "Halve every element and add 3, by a grid of any number of blocks",
    .tasks = {{
        .tensors = {
            {.name = "x", .role = Role::output, .shape = {"N"}, .fill = uniform(-8.0, 8.0), .start = Start::filled,
             .tolerance = Tolerance{0x1p-22, 0.0,
                 "2^-22: halving is exact, and one addition with a result below 8 is rounded by at most half an ulp"}}},
        .cases = cases({"N"}, {
            {"teaching", {600}},  // 256 threads: two whole turns, and 88 elements of a third
            {"one element", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
            {"one full block", {64}}, {"fewer elements than threads", {200}}, {"an element a thread", {256}},
            {"one element more", {257}}, {"four whole turns", {1024}}, {"many turns", {10'007}},
            {"more than a wave of threads", {280'001}},  // of an H200: 270,336
        }),
        .large = {{"N", 400'003}},  // more than one wave of an H200
        .bench = {{"N", 1 << 24}},  // as in Puzzle 01
        .reference = halve_and_add<double>, .cpu = halve_and_add<float>}},
    .variants = {
        {.name = "few", .title = "FEW BLOCKS", .summary = "Four blocks, whatever the size",
         .regions = {"stride"}, .budget = kOnce},
        {.name = "many", .title = "MANY BLOCKS", .summary = "The same kernel, a block for every 64 elements",
         .regions = {"stride"}, .required = false, .budget = kOnce},
        {.name = "wave", .title = "ONE WAVE OF BLOCKS",
         .summary = "The same kernel, as many blocks as the GPU runs at the same time",
         .regions = {"stride", "wave"}, .budget = one_wave()}}};
