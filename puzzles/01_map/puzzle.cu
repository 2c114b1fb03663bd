// Puzzle 01, Map: what it is, how it is checked, and its launch.
#include <workbook/puzzle.h>

#include <cmath>

#include "kernels.cu"

namespace {

using workbook::Dims;
using workbook::HostTensors;
using workbook::Run;

void map_reference(const Dims&, HostTensors<double>& t) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] + 10.0;
}

void map_cpu(const Dims&, HostTensors<float>& t) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] + 10.0f;
}

void run_map(Run& run) {
  const int size = run.dim("N");
  run.launch({.kernel = "map_kernel", .flops = 1.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;  // rounded up: enough for the last elements too
    map_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), size);
  });
}

// ---- Plausible wrong answers, for the diagnosis ----------------------------------------------------

/// Fills out with what `wrong(a, i)` says instead of a[i] + 10.
template <class Wrong>
void fill(HostTensors<double>& t, Wrong wrong) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = wrong(a, i);
}

using Values = std::span<double>;
void copied(const Dims&, HostTensors<double>& t) {
  fill(t, [](Values a, std::size_t i) { return a[i]; });
}
void only_the_term(const Dims&, HostTensors<double>& t) {
  fill(t, [](Values, std::size_t) { return 10.0; });
}
void multiplied(const Dims&, HostTensors<double>& t) {
  fill(t, [](Values a, std::size_t i) { return a[i] * 10.0; });
}
void first_block_again(const Dims&, HostTensors<double>& t) {
  fill(t, [](Values a, std::size_t i) { return a[i % kBlockSize] + 10.0; });
}
void index_added(const Dims&, HostTensors<double>& t) {
  fill(t, [](Values, std::size_t i) { return static_cast<double>(i) + 10.0; });
}

double one_rounding(const Dims&) { return std::ldexp(1.0, -21); }

}  // namespace

// One entry a line reads as the table that it is.
// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 1,
    .title = "Map",
    .part = "Part I: fundamentals",
    .summary = "Add 10 to every element of a vector, one thread an element",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = uniform(-5.0, 5.0)},
        {.name = "out", .role = Role::output, .shape = {"N"}, .tolerance = one_rounding,
         .tolerance_source = "2^-21: one addition with a result below 16 is rounded by at most half an ulp"},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 200}}},  // three full blocks and eight elements
        {.name = "one element", .dims = {{"N", 1}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}}},
        {.name = "a lane more than a warp", .dims = {{"N", 33}}},
        {.name = "one full block", .dims = {{"N", 64}}},
        {.name = "many blocks", .dims = {{"N", 1000}}},
    },
    .large = {{"N", 100'003}},
    .bench = {{"N", 1 << 24}},
    .reference = map_reference,
    .cpu = map_cpu,
    .suspects = {
        {"out is a copy of a: 10 was never added", copied},
        {"out holds 10 and nothing of a: add a[i]", only_the_term},
        {"a was multiplied by 10: the puzzle adds 10", multiplied},
        {"every block read the elements of the first one: the index into a lacks blockIdx.x * blockDim.x",
         first_block_again},
        {"the index itself was used as the value: add 10 to a[i], not to i", index_added},
    },
    .variants = {
        {.name = "map",
         .title = "MAP",
         .summary = "One launch, one thread an element",
         .regions = {"map"},
         .run = run_map},
    },
};
// clang-format on
