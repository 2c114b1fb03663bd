// Counters that start at zero, bytes as input.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void count(const Dims&, HostTensors<double>& t) {
  for (const double value : t["bytes"]) t["counts"][static_cast<std::size_t>(value)] += 1.0;
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 3,
    .title = "Histogram",
    .part = "Interface",
    .summary = "Count each byte",
    .tasks = {{.tensors = {{.name = "bytes", .type = Type::u8, .shape = {"N"}, .fill = integers(0, 255)},
                           {.name = "counts",
                            .type = Type::u32,
                            .role = Role::output,
                            .shape = {"256"},
                            .start = Start::zeroed,
                            .tolerance = exact("counts are whole numbers")}},
               .cases = {{.name = "teaching", .dims = {{"N", 300}}},
                         {.name = "one byte", .dims = {{"N", 1}}}},
               .large = {{"N", 10'001}},
               .bench = {{"N", 1 << 20}},
               .reference = count}},
    .variants = {{.name = "atomics", .title = "ATOMICS", .summary = "An atomic a byte", .regions = {"work"}}},
};
