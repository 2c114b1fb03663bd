// Puzzle 03, Guards: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <cstddef>
#include <vector>

using namespace workbook;

/// out[i] = the element `distance` behind i, less the one `distance` before it; 0 before the first, the last
/// one after the last.
template <class T>
static void change(std::span<T> out, std::span<T> a, std::size_t distance) {
  const std::size_t size = a.size();
  for (std::size_t i = 0; i < size; ++i) {
    const T left = i >= distance ? a[i - distance] : T{0};
    const T right = i + distance < size ? a[i + distance] : a[size - 1];
    out[i] = right - left;
  }
}

template <class T>
static void guards(const Dims& dims, HostTensors<T>& t) {
  change(t["near"], t["a"], 1);
  change(t["far"], t["a"], dims["D"]);
}

/// The same without a guard: out of a copy that goes on at both ends.
static void change_of_copy(std::span<double> out, std::span<double> a, std::size_t distance) {
  std::vector<double> longer(distance, 0.0);
  longer.insert(longer.end(), a.begin(), a.end());
  longer.insert(longer.end(), distance, a.back());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = longer[i + 2 * distance] - longer[i];
}

static void guards_of_copies(const Dims& dims, HostTensors<double>& t) {
  change_of_copy(t["near"], t["a"], 1);
  change_of_copy(t["far"], t["a"], dims["D"]);
}

const Tolerance kOneSubtraction = {
    0x1p-21, 0.0, "2^-21: one subtraction with a result below 16 is rounded by at most half an ulp"};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 3, .title = "Guards", .part = "Part I: fundamentals",
    .builds_on = {1},
    .summary = "The change around each element of a vector: two neighbours, and either may not be there",
    .tasks = {{
        .tensors = {
            input("a", {"N"}, uniform(-5.0, 5.0)),
            output("near", {"N"}, kOneSubtraction),
            output("far", {"N"}, kOneSubtraction)},
        .cases = cases({"N", "D"}, {
            {"teaching", {300, 5}},  // a full block, and 44 elements for the second
            {"one element", {1, 1}},  // the first one is the last
            {"two elements", {2, 1}}, {"a lane short of a warp", {31, 7}},
            {"a lane more than a warp", {33, 32}}, {"one full block", {256, 100}},
            {"as far as long", {64, 64}}, {"further than long", {20, 50}}, {"many blocks", {1000, 300}}}),
        .large = {{"N", 100'003}, {"D", 1001}}, .bench = {{"N", 1 << 24}, {"D", 1001}},
        .reference = guards<double>, .cross_check = guards_of_copies, .cpu = guards<float>}},
    .variants = {
        {.name = "near", .title = "NEAR (next to each other)",
         .summary = "The neighbours of element i are i - 1 and i + 1",
         .regions = {"near"}, .outputs = {"near"}},
        {.name = "far", .title = "FAR (any distance)", .summary = "The neighbours of element i are i - D and i + D",
         .regions = {"far"}, .outputs = {"far"}}}};
