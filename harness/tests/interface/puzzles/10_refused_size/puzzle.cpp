// A variant that refuses sizes, in words; bfloat16; expressions of sizes.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void folded(const Dims& dims, HostTensors<double>& t) {
  const int half = dims["H"] / 2;
  for (int i = 0; i < half; ++i) t["out"][i] = t["x"][i] + t["x"][i + half];
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 10,
    .title = "A refused size",
    .part = "Interface",
    .summary = "Fold a row in half",
    .tasks = {{.tensors = {{.name = "x", .type = Type::bf16, .shape = {"H"}, .fill = uniform(1.0, 2.0)},
                           {.name = "out",
                            .type = Type::bf16,
                            .role = Role::output,
                            .shape = {"H/2"},
                            .tolerance = Tolerance{0.0, 0x1p-8, "one addition, rounded to bfloat16"}}},
               .cases = {{.name = "teaching", .dims = {{"H", 20}}},
                         {.name = "two", .dims = {{"H", 2}}},
                         {.name = "long", .dims = {{"H", 4000}}}},  // which --block refuses
               .large = {{"H", 2000}},
               .bench = {{"H", 2048}},
               .reference = folded}},
    .variants = {{.name = "block",
                  .title = "BLOCK",
                  .summary = "One block",
                  .regions = {"work"},
                  .refuses = {{Bound("H") > 2048,
                               "--block gives each pair a thread of one block: H is at most 2048."}}}},
};
