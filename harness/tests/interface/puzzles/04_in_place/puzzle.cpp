// A tensor that is updated where it lies: every execution finds it as it was.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void update(const Dims&, HostTensors<double>& t) {
  for (double& value : t["x"]) value = 2.0 * value + 1.0;
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 4,
    .title = "In place",
    .part = "Interface",
    .summary = "x becomes 2 x + 1",
    .tasks = {{.tensors = {{.name = "x",
                            .role = Role::output,
                            .shape = {"N"},
                            .fill = uniform(-1.0, 1.0),
                            .start = Start::filled,
                            .tolerance = Tolerance{0x1p-22, 0.0, "one addition below 4, rounded once"}}},
               .cases = {{.name = "teaching", .dims = {{"N", 100}}},
                         {.name = "one element", .dims = {{"N", 1}}}},
               .large = {{"N", 5000}},
               .bench = {{"N", 1 << 20}},
               .reference = update}},
    .variants =
        {{.name = "update", .title = "UPDATE", .summary = "A thread an element", .regions = {"work"}}},
};
