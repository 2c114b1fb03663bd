// A host function of the learner's that captures its kernels in a graph.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void twice(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["a"].size(); ++i) {
    t["middle"][i] = t["a"][i] + 1.0;
    t["out"][i] = t["middle"][i] * 2.0;
  }
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 6,
    .title = "Captured graph",
    .part = "Interface",
    .summary = "Two kernels in one graph",
    .tasks = {{.tensors = {{.name = "a", .shape = {"N"}, .fill = uniform(-1.0, 1.0)},
                           {.name = "middle",
                            .role = Role::intermediate,
                            .shape = {"N"},
                            .tolerance = Tolerance{0x1p-23, 0.0, "one addition below 2"}},
                           {.name = "out",
                            .role = Role::output,
                            .shape = {"N"},
                            .tolerance = Tolerance{0x1p-22, 0.0, "and doubled"}}},
               .cases = {{.name = "teaching", .dims = {{"N", 70}}}, {.name = "one", .dims = {{"N", 1}}}},
               .large = {{"N", 3000}},
               .bench = {{"N", 1 << 20}},
               .reference = twice}},
    .variants = {{.name = "graph",
                  .title = "GRAPH",
                  .summary = "Captured once, launched as a whole",
                  .regions = {"work"},
                  .intermediates = {"middle"},
                  .budget = {.launches = 2.0}}},
};
