// Two streams inside one step, ordered by events.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void sum(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["a"].size(); ++i) {
    t["left"][i] = t["a"][i] * 2.0;
    t["right"][i] = t["a"][i] + 3.0;
    t["out"][i] = t["left"][i] + t["right"][i];
  }
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 7,
    .title = "Two streams",
    .part = "Interface",
    .summary = "Two kernels beside each other, then a third",
    .tasks = {{.tensors = {{.name = "a", .shape = {"N"}, .fill = uniform(-1.0, 1.0)},
                           {.name = "left", .role = Role::intermediate, .shape = {"N"}},
                           {.name = "right", .role = Role::intermediate, .shape = {"N"}},
                           {.name = "out",
                            .role = Role::output,
                            .shape = {"N"},
                            .tolerance = Tolerance{0x1p-21, 0.0, "two additions below 8"}}},
               .cases = {{.name = "teaching", .dims = {{"N", 70}}}, {.name = "one", .dims = {{"N", 1}}}},
               .large = {{"N", 3000}},
               .bench = {{"N", 1 << 20}},
               .reference = sum}},
    .variants = {{.name = "streams",
                  .title = "STREAMS",
                  .summary = "A fork and a join",
                  .regions = {"work"},
                  .intermediates = {"left", "right"}}},
};
