// Two tasks, and outputs that belong to one variant only.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void forward(const Dims&, HostTensors<double>& t) {
  double sum = 0.0, squares = 0.0;
  const auto size = static_cast<double>(t["x"].size());
  for (const double value : t["x"]) sum += value;
  for (const double value : t["x"]) squares += (value - sum / size) * (value - sum / size);
  t["mean"][0] = sum / size;
  t["variance"][0] = squares / size;
}
void backward(const Dims&, HostTensors<double>& t) {
  for (double& value : t["dx"]) value = t["dmean"][0] / static_cast<double>(t["dx"].size());
}
Tolerance sums() {
  return {[](const Dims& dims) { return 0x1p-22 * dims["N"]; }, 0.0, "N 2^-22: sums of N terms below 4"};
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 9,
    .title = "Tasks",
    .part = "Interface",
    .summary = "A mean and a variance, and the mean's gradient",
    .tasks = {{.name = "forward",
               .tensors = {{.name = "x", .shape = {"N"}, .fill = uniform(-1.0, 1.0)},
                           {.name = "mean", .role = Role::output, .shape = {"1"}, .tolerance = sums()},
                           {.name = "variance", .role = Role::output, .shape = {"1"}, .tolerance = sums()}},
               .cases = {{.name = "teaching", .dims = {{"N", 8}}}, {.name = "one", .dims = {{"N", 1}}}},
               .large = {{"N", 1000}},
               .bench = {{"N", 4096}},
               .reference = forward},
              {.name = "backward",
               .tensors = {{.name = "dmean", .shape = {"1"}, .fill = uniform(1.0, 2.0)},
                           {.name = "dx",
                            .role = Role::output,
                            .shape = {"N"},
                            .tolerance = Tolerance{0x1p-23, 0.0, "one division"}}},
               .cases = {{.name = "teaching", .dims = {{"N", 8}}}, {.name = "one", .dims = {{"N", 1}}}},
               .large = {{"N", 1000}},
               .bench = {{"N", 4096}},
               .reference = backward}},
    .variants = {{.name = "mean",
                  .title = "MEAN",
                  .summary = "The mean alone",
                  .task = "forward",
                  .regions = {"work"},
                  .outputs = {"mean"}},
                 {.name = "both",
                  .title = "BOTH",
                  .summary = "Mean and variance",
                  .task = "forward",
                  .regions = {"work", "variance"}},
                 {.name = "backward",
                  .title = "BACKWARD",
                  .summary = "The gradient",
                  .task = "backward",
                  .regions = {"gradient"}}},
};
