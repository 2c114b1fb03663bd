// Puzzle 06, Blocks: what it is and how it is checked.
#include <workbook/puzzle.h>

namespace {

using workbook::Dims;
using workbook::HostTensors;

template <class T>
void halve_and_add(const Dims&, HostTensors<T>& t) {
  for (T& value : t["x"]) value = value / 2 + 3;
}

double once_an_element(const Dims& dims) { return dims["N"]; }

/// Each element read once and written once, in one launch.
workbook::Budget once() {
  return {.global_reads = once_an_element, .global_writes = once_an_element, .launches = 1.0};
}

/// The threads of one wave are busy: with no more elements than they are, each has one at most. A GPU of the
/// table with few multiprocessors runs as many threads as the smaller cases have elements.
workbook::Budget one_wave() {
  workbook::Budget budget = once();
  budget.waves = 1.0;
  budget.reads_a_thread = [](const Dims& dims) { return dims["N"] <= 10'007 ? 1.0 : 64.0; };
  return budget;
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 6,
    .title = "Blocks",
    .part = "Part I: fundamentals",
    .summary = "Halve every element and add 3, by a grid of any number of blocks",
    .tensors = {
        {.name = "x", .role = Role::output, .shape = {"N"}, .fill = uniform(-8.0, 8.0), .start = Start::filled,
         .tolerance = Tolerance{0x1p-22, 0.0,
             "2^-22: halving is exact, and one addition with a result below 8 is rounded by at most half an ulp"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 600}}},  // 256 threads: two whole turns, and 88 elements of a third
        {.name = "one element", .dims = {{"N", 1}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}}},
        {.name = "a lane more than a warp", .dims = {{"N", 33}}},
        {.name = "one full block", .dims = {{"N", 64}}},
        {.name = "fewer elements than threads", .dims = {{"N", 200}}},
        {.name = "an element a thread", .dims = {{"N", 256}}},
        {.name = "one element more", .dims = {{"N", 257}}},
        {.name = "four whole turns", .dims = {{"N", 1024}}},
        {.name = "many turns", .dims = {{"N", 10'007}}},
        {.name = "more than a wave of threads", .dims = {{"N", 280'001}}},  // of an H200: 270,336
    },
    .large = {{"N", 400'003}},  // more than one wave of an H200
    .bench = {{"N", 1 << 24}},  // as in Puzzle 01
    .reference = halve_and_add<double>,
    .cpu = halve_and_add<float>,
    .variants = {
        {.name = "few",
         .title = "FEW BLOCKS",
         .summary = "Four blocks, whatever the size",
         .regions = {"stride"},
         .budget = once()},
        {.name = "many",
         .title = "MANY BLOCKS",
         .summary = "The same kernel, a block for every 64 elements",
         .regions = {"stride"},
         .required = false,
         .budget = once()},
        {.name = "wave",
         .title = "ONE WAVE OF BLOCKS",
         .summary = "The same kernel, as many blocks as the GPU runs at the same time",
         .regions = {"stride", "wave"},
         .budget = one_wave()},
    },
};
// clang-format on
