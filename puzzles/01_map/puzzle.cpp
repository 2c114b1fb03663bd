// Puzzle 01, Map: what it is and how it is checked.
#include <workbook/puzzle.h>

using namespace workbook;

template <class T>
static void map(const Dims&, HostTensors<T>& t) {
  for (std::size_t i = 0; i < t["a"].size(); ++i) t["out"][i] = t["a"][i] + T{10};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 1, .title = "Map", .part = "Part I: fundamentals",
    .summary = "Add 10 to every element of a vector, one thread an element",
    .tasks = {{
        .tensors = {
            input("a", {"N"}, uniform(-5.0, 5.0)),
            output("out", {"N"},
                {0x1p-21, 0.0, "2^-21: one addition with a result below 16 is rounded by at most half an ulp"})},
        .cases = cases({"N"}, {
            {"teaching", {200}},  // three full blocks and eight elements
            {"one element", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
            {"one full block", {64}}, {"many blocks", {1000}}}),
        .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
        .reference = map<double>, .cpu = map<float>}},
    .variants = {
        {.name = "map", .title = "MAP", .summary = "One launch, one thread an element",
         .regions = {"map"}, .budget = {.global_reads = "N", .global_writes = "N"}}}};
