// Puzzle 03, Guards: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <cstddef>
#include <vector>

namespace {

using workbook::Dims;
using workbook::HostTensors;

/// out[i] = the element `distance` behind i, less the one `distance` before it; 0 before the first, the last
/// one after the last.
template <class T>
void change(std::span<T> out, std::span<T> a, std::size_t distance) {
  const std::size_t size = a.size();
  for (std::size_t i = 0; i < size; ++i) {
    const T left = i >= distance ? a[i - distance] : T{0};
    const T right = i + distance < size ? a[i + distance] : a[size - 1];
    out[i] = right - left;
  }
}

template <class T>
void guards(const Dims& dims, HostTensors<T>& t) {
  change(t["near"], t["a"], 1);
  change(t["far"], t["a"], dims["D"]);
}

/// The same without a guard: out of a copy that goes on at both ends.
void change_of_copy(std::span<double> out, std::span<double> a, std::size_t distance) {
  std::vector<double> longer(distance, 0.0);
  longer.insert(longer.end(), a.begin(), a.end());
  longer.insert(longer.end(), distance, a.back());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = longer[i + 2 * distance] - longer[i];
}

void guards_of_copies(const Dims& dims, HostTensors<double>& t) {
  change_of_copy(t["near"], t["a"], 1);
  change_of_copy(t["far"], t["a"], dims["D"]);
}

workbook::Tolerance one_subtraction() {
  return {0x1p-21, 0.0, "2^-21: one subtraction with a result below 16 is rounded by at most half an ulp"};
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 3,
    .title = "Guards",
    .part = "Part I: fundamentals",
    .summary = "The change around each element of a vector: two neighbours, and either may not be there",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = uniform(-5.0, 5.0)},
        {.name = "near", .role = Role::output, .shape = {"N"}, .tolerance = one_subtraction()},
        {.name = "far", .role = Role::output, .shape = {"N"}, .tolerance = one_subtraction()},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 300}, {"D", 5}}},  // a full block, and 44 elements for the second
        {.name = "one element", .dims = {{"N", 1}, {"D", 1}}},  // the first one is the last
        {.name = "two elements", .dims = {{"N", 2}, {"D", 1}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}, {"D", 7}}},
        {.name = "a lane more than a warp", .dims = {{"N", 33}, {"D", 32}}},
        {.name = "one full block", .dims = {{"N", 256}, {"D", 100}}},
        {.name = "as far as long", .dims = {{"N", 64}, {"D", 64}}},
        {.name = "further than long", .dims = {{"N", 20}, {"D", 50}}},
        {.name = "many blocks", .dims = {{"N", 1000}, {"D", 300}}},
    },
    .large = {{"N", 100'003}, {"D", 1001}},
    .bench = {{"N", 1 << 24}, {"D", 1001}},
    .reference = guards<double>,
    .cross_check = guards_of_copies,
    .cpu = guards<float>,
    .variants = {
        {.name = "near",
         .title = "NEAR (next to each other)",
         .summary = "The neighbours of element i are i - 1 and i + 1",
         .regions = {"near"},
         .outputs = {"near"}},
        {.name = "far",
         .title = "FAR (any distance)",
         .summary = "The neighbours of element i are i - D and i + D",
         .regions = {"far"},
         .outputs = {"far"}},
    },
};
// clang-format on
