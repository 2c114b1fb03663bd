// Half-precision tensors of odd length: the last element has no partner.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void doubled(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["a"].size(); ++i) t["out"][i] = 2.0 * t["a"][i];
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 1,
    .title = "Half, odd length",
    .part = "Interface",
    .summary = "Double every element of a half tensor",
    .tasks = {{.tensors = {{.name = "a", .type = Type::f16, .shape = {"2*P+1"}, .fill = normal(0.0, 1.0)},
                           {.name = "out",
                            .type = Type::f16,
                            .role = Role::output,
                            .shape = {"2*P+1"},
                            .tolerance = exact("doubling a half changes its exponent only")}},
               .cases = {{.name = "teaching", .dims = {{"P", 3}}},
                         {.name = "one element", .dims = {{"P", 0 + 1}}}},
               .large = {{"P", 2000}},
               .bench = {{"P", 100'000}},
               .reference = doubled}},
    .variants = {{.name = "pairs", .title = "PAIRS", .summary = "Two halves a thread", .regions = {"work"}}},
};
