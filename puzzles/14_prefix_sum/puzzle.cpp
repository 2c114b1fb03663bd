// Puzzle 14, Prefix sum: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <vector>

#include "sizes.h"

using namespace workbook;

static_assert(kPieceSize == 5888, "the shapes of sums, offsets and states say so");

const Bound N = "N", pieces = ceil(N / kPieceSize);

/// The prefix sums of each kBlockSize elements for themselves: what one block of --simple has.
template <class T>
static void scan_blocks(const Dims& dims, HostTensors<T>& t) {
  for (int first = 0; first < dims["N"]; first += kBlockSize) {
    const int count = std::min(kBlockSize, dims["N"] - first);
    reference::inclusive_scan<T>(t["a"].subspan(first, count), t["out"].subspan(first, count));
  }
}

/// From the prefix sums of the whole array: less what stands at the end of the block before.
static void blocks_by_difference(const Dims& dims, HostTensors<double>& t) {
  std::vector<double> whole(dims["N"] + 1);
  for (int i = 0; i < dims["N"]; ++i) whole[i + 1] = whole[i] + t["a"][i];
  for (int i = 0; i < dims["N"]; ++i) t["out"][i] = whole[i + 1] - whole[i / kBlockSize * kBlockSize];
}

// In float this is exact on these shapes: whole numbers below 2^24, and multiples of 2^15 below 2^39.
static void whole_cpu(const Dims&, HostTensors<float>& t) {
  reference::inclusive_scan<float>(t["a"], t["out"]);
}

static void multiples_of_32768(const Dims&, std::span<double> values, Random& random) {
  for (double& value : values) value = 32768.0 * static_cast<double>(random.integer(-3, 7));
}

static void whole_reference(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], sums = t["sums"], offsets = t["offsets"], states = t["states"];
  reference::inclusive_scan(a, t["out"]);
  double before = 0.0;
  for (std::size_t piece = 0; piece < sums.size(); ++piece) {
    double sum = 0.0;
    for (int i = piece * kPieceSize; i < std::min<int>((piece + 1) * kPieceSize, dims["N"]); ++i) sum += a[i];
    sums[piece] = sum;
    offsets[piece] = before;
    before += sum;
    // In the end every block has published its prefix: the kind in the upper 32 bits, the sum in the lower.
    states[piece] = kPrefix * 0x1p32 + (before < 0 ? before + 0x1p32 : before);
  }
}

/// From the end: what is left of the total when all elements behind i are taken away.
static void whole_from_the_end(const Dims& dims, HostTensors<double>& t) {
  double left = 0.0;
  for (const double value : t["a"]) left += value;
  for (int i = dims["N"] - 1; i >= 0; --i) {
    t["out"][i] = left;
    left -= t["a"][i];
  }
}

const Tolerance kLastPublished =
    exact("every block publishes its prefix in the end, and a kind and a sum are whole numbers");
const Tolerance kWholeNumbers =
    exact("int adds whole numbers without rounding, so every order of adding gives the same");

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 14, .title = "Prefix sum", .part = "Part III: algorithms",
    .builds_on = {6, 8, 10, 12},
    .summary = "Every result is the sum of all elements up to its own: in a block, then across blocks",
    .tasks = {
        {.name = "blocks",
         .tensors = {
             input("a", Type::i32, {"N"}, integers(-4, 9)),
             output("out", Type::i32, {"N"}, kWholeNumbers)},
         .cases = cases({"N"}, {
             {"teaching", {600}},  // two full blocks and 88 elements
             {"one element", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
             {"one full block", {256}}, {"one element in the second block", {257}},
             {"large values", {1000}, {{"a", from(multiples_of_32768)}}}}),
         .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
         .reference = scan_blocks<double>, .cross_check = blocks_by_difference, .cpu = scan_blocks<float>},
        {.name = "whole",
         .tensors = {
             input("a", Type::i32, {"N"}, integers(-4, 9)),
             intermediate("sums", Type::i32, {"ceil(N/5888)"}, kWholeNumbers),
             intermediate("offsets", Type::i32, {"ceil(N/5888)"}, kWholeNumbers),
             intermediate("states", Type::i64, {"ceil(N/5888)"}, kLastPublished),
             {.name = "next", .type = Type::u32, .role = Role::intermediate, .shape = {"1"}, .start = Start::zeroed},
             output("out", Type::i32, {"N"}, kWholeNumbers)},
         .cases = cases({"N"}, {
             {"teaching", {50'000}},  // eight full pieces and 2896 elements
             {"one element", {1}}, {"a lane more than a warp", {33}}, {"a part of a piece", {1000}},
             {"one full piece", {5888}}, {"one element in the second piece", {5889}},
             {"large values", {12'000}, {{"a", from(multiples_of_32768)}}}}),
         .large = {{"N", 3'100'003}},  // 527 pieces: up to three sums for a thread of the second launch
         .bench = {{"N", 1 << 24}},
         .reference = whole_reference, .cross_check = whole_from_the_end, .cpu = whole_cpu}},
    .variants = {
        {.name = "simple", .title = "SIMPLE (each block for itself)",
         .summary = "Each block scans its 256 elements for itself",
         .task = "blocks", .regions = {"block_scan", "scan_blocks"},
         // 8 rounds; whoever uses one row only needs two barriers a round.
         .budget = {.global_reads = N, .global_writes = N, .barriers = 16 * ceil(N / kBlockSize)}},
        {.name = "complete", .title = "COMPLETE (three launches)",
         .summary = "Scan the pieces, scan their sums, add what lies before each piece",
         .task = "whole", .regions = {"block_scan", "scan_piece", "scan_sums", "add_offsets"},
         .intermediates = {"sums", "offsets"},
         // a and out; the offset for each element or once a thread; each sum twice
         .budget = {.global_reads = 3 * N + (2 + kBlockSize) * pieces, .global_writes = 2 * N + 2 * pieces, .launches = 3}},
        {.name = "single-pass", .title = "SINGLE PASS (decoupled look-back)",
         .summary = "One launch, in which a block looks back at what the blocks before it have published",
         .task = "whole", .regions = {"block_scan", "scan_piece", "look_back"}, .intermediates = {"states", "next"},
         .required = false, .budget = {.global_reads = N, .launches = 1}}}};
