// Puzzle 36, GELU: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <cmath>
#include <numbers>

namespace {

using workbook::Dims;
using workbook::HostTensors;
namespace reference = workbook::reference;

const double kRoot = std::sqrt(2.0 / std::numbers::pi);
constexpr double kCubic = 0.044715;

/// Step by step, as the chain of launches does it; the two results by the shared references.
void gelu_reference(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    t["square"][i] = x[i] * x[i];
    t["cube"][i] = x[i] * x[i] * x[i];
    t["cubic"][i] = kCubic * t["cube"][i];
    t["sum"][i] = x[i] + t["cubic"][i];
    t["inner"][i] = kRoot * t["sum"][i];
    t["tanh"][i] = std::tanh(t["inner"][i]);
    t["one_plus"][i] = 1.0 + t["tanh"][i];
    t["half"][i] = 0.5 * x[i];
  }
  reference::gelu_tanh(x, t["y"]);
  reference::gelu(x, t["exact"]);
}

/// Both as x times a share between 0 and 1: 1 + tanh(v) is 2 / (1 + exp(-2v)), and 1 + erf(v) is erfc(-v).
void gelu_by_shares(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double inner = kRoot * (x[i] + kCubic * x[i] * x[i] * x[i]);
    t["y"][i] = x[i] / (1.0 + std::exp(-2.0 * inner));
    t["exact"][i] = x[i] * 0.5 * std::erfc(-x[i] / std::numbers::sqrt2);
  }
}

void gelu_cpu(const Dims&, HostTensors<float>& t) {
  const auto x = t["x"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float inner = static_cast<float>(kRoot) * (x[i] + static_cast<float>(kCubic) * x[i] * x[i] * x[i]);
    t["y"][i] = 0.5f * x[i] * (1.0f + std::tanh(inner));
    t["exact"][i] = 0.5f * x[i] * (1.0f + std::erf(x[i] * static_cast<float>(1.0 / std::numbers::sqrt2)));
  }
}

/// Of a product or a sum of numbers of one sign: a few roundings, each of half an ulp.
workbook::Tolerance roundings() {
  return {
      0.0, 0x1p-22,
      "2^-22 of the value: at most four roundings of half an ulp (2^-24), and no two numbers of different sign are added"};
}

/// 1 + tanh(v) is near 0 where x is below -3, and still has the error of a number near 1.
workbook::Tolerance result() {
  return {
      0x1p-20, 0x1p-21,
      "2^-20 + 2^-21 of the value: tanh and erf are off by up to two ulp (2^-23), which 1 + tanh keeps where it is small and |x|/2, at "
      "most 4.5 before the result is 0, scales; where it is not small, the few roundings are relative to the value"};
}

double elements(const Dims& dims) { return dims["N"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 36,
    .title = "GELU",
    .part = "Part XIII: fusion in practice",
    .summary = "An activation function of nine operations: a chain of launches, then one kernel",
    .tensors = {
        {.name = "x", .role = Role::input, .shape = {"N"}, .fill = normal(0.25, 2.0)},
        {.name = "half", .role = Role::intermediate, .shape = {"N"},
         .tolerance = exact("halving a float rounds nothing")},
        {.name = "square", .role = Role::intermediate, .shape = {"N"}, .tolerance = roundings()},
        {.name = "cube", .role = Role::intermediate, .shape = {"N"}, .tolerance = roundings()},
        {.name = "cubic", .role = Role::intermediate, .shape = {"N"}, .tolerance = roundings()},
        {.name = "sum", .role = Role::intermediate, .shape = {"N"}, .tolerance = roundings()},
        {.name = "inner", .role = Role::intermediate, .shape = {"N"},
         .tolerance = Tolerance{0.0, 0x1p-21, "2^-21 of the value: up to eight roundings of half an ulp"}},
        {.name = "tanh", .role = Role::intermediate, .shape = {"N"},
         .tolerance = Tolerance{0.0, 0x1p-20,
             "2^-20 of the value: the error of its argument, which tanh makes no larger, and two ulp of its own"}},
        {.name = "one_plus", .role = Role::intermediate, .shape = {"N"},
         .tolerance = Tolerance{0x1p-20, 0.0, "2^-20: the error of a tanh of size 1"}},
        {.name = "y", .role = Role::output, .shape = {"N"}, .tolerance = result()},
        {.name = "exact", .role = Role::output, .shape = {"N"}, .tolerance = result()},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 301}}},  // a full block, and a tail that no float4 fits
        {.name = "one element", .dims = {{"N", 1}}},
        {.name = "less than a float4", .dims = {{"N", 3}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}}},
        {.name = "a lane more than a warp", .dims = {{"N", 33}}},
        {.name = "one full block", .dims = {{"N", 256}}},
        {.name = "four blocks of float4", .dims = {{"N", 4 * 1024}}},
        {.name = "many blocks", .dims = {{"N", 5003}}},
        // x^3 is up to 64 000: exp(2 * inner) is far beyond the largest float, tanh is 1 or -1.
        {.name = "large values", .dims = {{"N", 260}}, .fills = {{"x", uniform(-40.0, 40.0)}}},
        // Here GELU is x/2 and the cubic term is below the last bit.
        {.name = "around zero", .dims = {{"N", 77}}, .fills = {{"x", normal(0.0, 1e-3)}}},
    },
    .large = {{"N", 100'003}},
    .bench = {{"N", 1 << 24}},
    .reference = gelu_reference,
    .cross_check = gelu_by_shares,
    .cpu = gelu_cpu,
    .variants = {
        {.name = "chain",
         .title = "CHAIN",
         .summary = "Nine launches, one for each operation, and eight vectors between them",
         .regions = {"chain"},
         .intermediates = {"half", "square", "cube", "cubic", "sum", "inner", "tanh", "one_plus"},
         .outputs = {"y"},
         .budget = {.global_reads = [](const Dims& dims) { return 13.0 * dims["N"]; },
                    .global_writes = [](const Dims& dims) { return 9.0 * dims["N"]; },
                    .launches = 9.0}},
        {.name = "fused",
         .title = "FUSED",
         .summary = "One launch, an element a thread, everything between in registers",
         .regions = {"gelu_tanh", "fused"},
         .outputs = {"y"},
         .budget = {.global_reads = elements, .global_writes = elements, .launches = 1.0}},
        {.name = "exact",
         .title = "EXACT",
         .summary = "One launch, the form with the error function",
         .regions = {"gelu_exact"},
         .outputs = {"exact"},
         .budget = {.global_reads = elements, .global_writes = elements, .launches = 1.0}},
        {.name = "vector",
         .title = "VECTOR (16 bytes a load)",
         .summary = "One launch, four elements a thread",
         .regions = {"gelu_tanh", "vector"},
         .outputs = {"y"},
         .required = false,
         .budget = {.global_reads = elements, .global_writes = elements, .launches = 1.0}},
    },
};
// clang-format on
