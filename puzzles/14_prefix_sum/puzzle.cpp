// Puzzle 14, Prefix sum: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <vector>

namespace {

using workbook::Dims;
using workbook::HostTensors;

// As in given.cuh, which needs CUDA.
constexpr int kBlockSize = 256;
constexpr int kPieceSize = 256 * 23;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// The prefix sums of each kBlockSize elements for themselves: what one block of --simple has.
void blocks_reference(const Dims& dims, HostTensors<double>& t) {
  for (int first = 0; first < dims["N"]; first += kBlockSize) {
    const int count = std::min(kBlockSize, dims["N"] - first);
    workbook::reference::inclusive_scan(t["a"].subspan(first, count), t["out"].subspan(first, count));
  }
}

/// From the prefix sums of the whole array: less what stands at the end of the block before.
template <class T>
void blocks_by_difference(const Dims& dims, HostTensors<T>& t) {
  std::vector<T> whole(dims["N"] + 1);
  for (int i = 0; i < dims["N"]; ++i) whole[i + 1] = whole[i] + t["a"][i];
  for (int i = 0; i < dims["N"]; ++i) t["out"][i] = whole[i + 1] - whole[i / kBlockSize * kBlockSize];
}

// In float, and exact on these shapes: whole numbers below 2^24, and multiples of 2^15 below 2^39.
void blocks_cpu(const Dims& dims, HostTensors<float>& t) {
  float sum = 0.0f;
  for (int i = 0; i < dims["N"]; ++i) t["out"][i] = sum = (i % kBlockSize == 0 ? 0.0f : sum) + t["a"][i];
}
void whole_cpu(const Dims& dims, HostTensors<float>& t) {
  float sum = 0.0f;
  for (int i = 0; i < dims["N"]; ++i) t["out"][i] = sum += t["a"][i];
}

void multiples_of_32768(const Dims&, std::span<double> values, workbook::Random& random) {
  for (double& value : values) value = 32768.0 * static_cast<double>(random.integer(-3, 7));
}

void whole_reference(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], sums = t["sums"], offsets = t["offsets"];
  workbook::reference::inclusive_scan(a, t["out"]);
  double before = 0.0;
  for (std::size_t piece = 0; piece < sums.size(); ++piece) {
    double sum = 0.0;
    for (int i = piece * kPieceSize; i < std::min<int>((piece + 1) * kPieceSize, dims["N"]); ++i) sum += a[i];
    sums[piece] = sum;
    offsets[piece] = before;
    before += sum;
  }
}

/// From the end: what is left of the total when all elements behind i are taken away.
void whole_from_the_end(const Dims& dims, HostTensors<double>& t) {
  double left = 0.0;
  for (const double value : t["a"]) left += value;
  for (int i = dims["N"] - 1; i >= 0; --i) {
    t["out"][i] = left;
    left -= t["a"][i];
  }
}

workbook::Tolerance whole_numbers() {
  return workbook::exact("int adds whole numbers without rounding, so every order of adding gives the same");
}

double elements(const Dims& dims) { return dims["N"]; }
double complete_reads(const Dims& dims) {
  // a and out; the offset for each element or once a thread; each sum twice
  return 3.0 * dims["N"] + (2.0 + kBlockSize) * ceil_div(dims["N"], kPieceSize);
}
double complete_writes(const Dims& dims) { return 2.0 * dims["N"] + 2.0 * ceil_div(dims["N"], kPieceSize); }
/// 8 rounds; whoever uses one row only needs two barriers a round.
double simple_barriers(const Dims& dims) { return 16.0 * ceil_div(dims["N"], kBlockSize); }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 14,
    .title = "Prefix sum",
    .part = "Part III: algorithms",
    .summary = "Every result is the sum of all elements up to its own: in a block, then across blocks",
    .tasks = {
        {.name = "blocks",
         .tensors = {
             {.name = "a", .type = Type::i32, .role = Role::input, .shape = {"N"}, .fill = integers(-4, 9)},
             {.name = "out", .type = Type::i32, .role = Role::output, .shape = {"N"},
              .tolerance = whole_numbers()},
         },
         .cases = {
             {.name = "teaching", .dims = {{"N", 600}}},  // two full blocks and 88 elements
             {.name = "one element", .dims = {{"N", 1}}},
             {.name = "a lane short of a warp", .dims = {{"N", 31}}},
             {.name = "a lane more than a warp", .dims = {{"N", 33}}},
             {.name = "one full block", .dims = {{"N", 256}}},
             {.name = "one element in the second block", .dims = {{"N", 257}}},
             {.name = "large values", .dims = {{"N", 1000}}, .fills = {{"a", from(multiples_of_32768)}}},
         },
         .large = {{"N", 100'003}},
         .bench = {{"N", 1 << 24}},
         .reference = blocks_reference,
         .cross_check = blocks_by_difference<double>,
         .cpu = blocks_cpu},
        {.name = "whole",
         .tensors = {
             {.name = "a", .type = Type::i32, .role = Role::input, .shape = {"N"}, .fill = integers(-4, 9)},
             {.name = "sums", .type = Type::i32, .role = Role::intermediate, .shape = {"ceil(N/5888)"},
              .tolerance = whole_numbers()},
             {.name = "offsets", .type = Type::i32, .role = Role::intermediate, .shape = {"ceil(N/5888)"},
              .tolerance = whole_numbers()},
             {.name = "states", .type = Type::i64, .role = Role::intermediate, .shape = {"ceil(N/5888)"}},
             {.name = "next", .type = Type::u32, .role = Role::intermediate, .shape = {"1"}, .start = Start::zeroed},
             {.name = "out", .type = Type::i32, .role = Role::output, .shape = {"N"},
              .tolerance = whole_numbers()},
         },
         .cases = {
             {.name = "teaching", .dims = {{"N", 50'000}}},  // eight full pieces and 2896 elements
             {.name = "one element", .dims = {{"N", 1}}},
             {.name = "a lane more than a warp", .dims = {{"N", 33}}},
             {.name = "a part of a piece", .dims = {{"N", 1000}}},
             {.name = "one full piece", .dims = {{"N", 5888}}},
             {.name = "one element in the second piece", .dims = {{"N", 5889}}},
             {.name = "large values", .dims = {{"N", 12'000}}, .fills = {{"a", from(multiples_of_32768)}}},
         },
         .large = {{"N", 3'100'003}},  // 527 pieces: up to three sums for a thread of the second launch
         .bench = {{"N", 1 << 24}},
         .reference = whole_reference,
         .cross_check = whole_from_the_end,
         .cpu = whole_cpu},
    },
    .variants = {
        {.name = "simple",
         .title = "SIMPLE (each block for itself)",
         .summary = "Each block scans its 256 elements for itself",
         .task = "blocks",
         .regions = {"block_scan", "scan_blocks"},
         .budget = {.global_reads = elements, .global_writes = elements, .barriers = simple_barriers}},
        {.name = "complete",
         .title = "COMPLETE (three launches)",
         .summary = "Scan the pieces, scan their sums, add what lies before each piece",
         .task = "whole",
         .regions = {"block_scan", "scan_piece", "scan_sums", "add_offsets"},
         .intermediates = {"sums", "offsets"},
         .budget = {.global_reads = complete_reads, .global_writes = complete_writes, .launches = 3}},
        {.name = "single-pass",
         .title = "SINGLE PASS (decoupled look-back)",
         .summary = "One launch, in which a block looks back at what the blocks before it have published",
         .task = "whole",
         .regions = {"block_scan", "scan_piece", "look_back"},
         .intermediates = {"states", "next"},
         .required = false,
         .budget = {.global_reads = elements, .launches = 1}},
    },
};
// clang-format on
