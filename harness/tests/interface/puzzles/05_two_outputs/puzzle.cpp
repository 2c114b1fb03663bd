// Two outputs of two types, one with a relative tolerance.
#include <workbook/puzzle.h>

#include <algorithm>
#include <cmath>

namespace {
using namespace workbook;

void rows(const Dims& dims, HostTensors<double>& t) {
  const int size = dims["H"];
  for (int r = 0; r < dims["R"]; ++r) {
    const auto row = t["x"].subspan(r * size, size);
    const auto largest = std::max_element(row.begin(), row.end());
    t["where"][r] = static_cast<double>(largest - row.begin());
    double sum = 0.0;
    for (const double value : row) sum += std::exp(value);
    t["total"][r] = sum;
  }
}
}  // namespace

const workbook::Puzzle workbook::puzzle = {
    .number = 5,
    .title = "Two outputs",
    .part = "Interface",
    .summary = "Of each row the place of its maximum and the sum of its exponentials",
    .tasks = {{.tensors = {{.name = "x", .shape = {"R", "H"}, .fill = uniform(-10.0, 10.0)},
                           {.name = "where",
                            .type = Type::i64,
                            .role = Role::output,
                            .shape = {"R"},
                            .tolerance = exact("it is an index")},
                           {.name = "total",
                            .role = Role::output,
                            .shape = {"R"},
                            .tolerance =
                                Tolerance{0.0, 1e-4,
                                          "expf is right to 2 ulps, and a sum of H terms to H half-ulps"}}},
               .cases = {{.name = "teaching", .dims = {{"R", 6}, {"H", 9}}},
                         {.name = "one", .dims = {{"R", 1}, {"H", 1}}}},
               .large = {{"R", 500}, {"H", 64}},
               .bench = {{"R", 4096}, {"H", 256}},
               .reference = rows}},
    .variants = {{.name = "rows", .title = "ROWS", .summary = "A thread a row", .regions = {"work"}}},
};
