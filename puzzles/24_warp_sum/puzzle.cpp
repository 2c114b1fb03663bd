// Puzzle 24, Warp sum: what it is and how it is checked.
#include <workbook/puzzle.h>

namespace {

using workbook::Dims;
using workbook::HostTensors;

/// In double. What several puzzles need stands in workbook/reference.h.
void compute_reference(const Dims&, HostTensors<double>& t) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i];  // WRITE ME: what the puzzle computes
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 24,
    .title = "Warp sum",
    .part = "Part V: your kernel as an operator",
    .summary = "One sentence that says what is computed",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = normal(0.0, 1.0)},
        {.name = "out", .role = Role::output, .shape = {"N"},
         .tolerance = Tolerance{0x1p-22, 0x1p-22,
             "2^-22: four roundings of half an ulp (2^-24) of an element; next to 0 of a number of size 1"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 200}}},  // three full blocks and eight elements
        {.name = "one element", .dims = {{"N", 1}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}}},
        {.name = "a lane more than a block", .dims = {{"N", 65}}},
        {.name = "many blocks", .dims = {{"N", 1000}}},
    },
    .large = {{"N", 100'003}},
    .bench = {{"N", 1 << 24}},
    .reference = compute_reference,
    .variants = {
        {.name = "warp-sum",
         .title = "WARP SUM",
         .summary = "One launch, one thread an element",
         .regions = {"warp_sum"}},
    },
};
// clang-format on
