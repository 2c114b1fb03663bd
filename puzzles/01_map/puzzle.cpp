// Puzzle 01, Map: what it is and how it is checked.
#include <workbook/puzzle.h>

namespace {

using workbook::Dims;
using workbook::HostTensors;

template <class T>
void map(const Dims&, HostTensors<T>& t) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] + T{10};
}

/// A thread has one element: it is read once and written once.
double elements(const Dims& dims) { return dims["N"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 1,
    .title = "Map",
    .part = "Part I: fundamentals",
    .summary = "Add 10 to every element of a vector, one thread an element",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = uniform(-5.0, 5.0)},
        {.name = "out", .role = Role::output, .shape = {"N"},
         .tolerance = Tolerance{0x1p-21, 0.0,
             "2^-21: one addition with a result below 16 is rounded by at most half an ulp"}},
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
    .reference = map<double>,
    .cpu = map<float>,
    .variants = {
        {.name = "map",
         .title = "MAP",
         .summary = "One launch, one thread an element",
         .regions = {"map"},
         .budget = {.global_reads = elements, .global_writes = elements}},
    },
};
// clang-format on
