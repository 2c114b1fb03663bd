// An index input, and a budget of reads.
#include <workbook/puzzle.h>

namespace {
using namespace workbook;

void gather(const Dims& dims, HostTensors<double>& t) {
  const int size = dims["E"];
  for (int n = 0; n < dims["N"]; ++n)
    for (int e = 0; e < size; ++e)
      t["out"][n * size + e] = t["table"][static_cast<int>(t["index"][n]) * size + e];
}
double reads(const Dims& dims) { return 2.0 * dims["N"] * dims["E"]; }
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 2,
    .title = "Gather",
    .part = "Interface",
    .summary = "Row index[n] of a table becomes row n",
    .tasks = {{.tensors = {{.name = "table", .shape = {"V", "E"}, .fill = normal(0.0, 1.0)},
                           {.name = "index", .type = Type::i32, .shape = {"N"}, .fill = index_into("V")},
                           {.name = "out",
                            .role = Role::output,
                            .shape = {"N", "E"},
                            .tolerance = exact("rows are copied")}},
               .cases = {{.name = "teaching", .dims = {{"V", 5}, {"E", 4}, {"N", 7}}},
                         {.name = "sorted",
                          .dims = {{"V", 9}, {"E", 3}, {"N", 33}},
                          .fills = {{"index", sorted(index_into("V"))}}}},
               .large = {{"V", 100}, {"E", 33}, {"N", 500}},
               .bench = {{"V", 1000}, {"E", 64}, {"N", 4096}},
               .reference = gather}},
    .variants = {{.name = "flat",
                  .title = "FLAT",
                  .summary = "A thread an element",
                  .regions = {"work"},
                  .budget = {.global_reads = reads, .launches = 1.0}}},
};
