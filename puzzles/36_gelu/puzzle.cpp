// Puzzle 36, GELU: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <cmath>
#include <numbers>

using namespace workbook;

const double kRoot = std::sqrt(2.0 / std::numbers::pi);
constexpr double kCubic = 0.044715;

/// Step by step, as the chain of launches does it; the two results by the shared references.
static void gelu_reference(const Dims&, HostTensors<double>& t) {
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
static void gelu_by_shares(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double inner = kRoot * (x[i] + kCubic * x[i] * x[i] * x[i]);
    t["y"][i] = x[i] / (1.0 + std::exp(-2.0 * inner));
    t["exact"][i] = x[i] * 0.5 * std::erfc(-x[i] / std::numbers::sqrt2);
  }
}

static void gelu_cpu(const Dims&, HostTensors<float>& t) {
  const auto x = t["x"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float inner = static_cast<float>(kRoot) * (x[i] + static_cast<float>(kCubic) * x[i] * x[i] * x[i]);
    t["y"][i] = 0.5f * x[i] * (1.0f + std::tanh(inner));
    t["exact"][i] = 0.5f * x[i] * (1.0f + std::erf(x[i] * static_cast<float>(1.0 / std::numbers::sqrt2)));
  }
}

/// Of a product or a sum of numbers of one sign: a few roundings, each of half an ulp.
const Tolerance kRoundings = {
    0.0, 0x1p-22,
    "2^-22 of the value: at most four roundings of half an ulp (2^-24), and no two numbers of different sign are added"};

const Tolerance kResult = {
    0x1p-20, 0x1p-21,
    "2^-20 + 2^-21 of the value: tanh and erf are off by up to two ulp (2^-23), which 1 + tanh keeps where it is small and |x|/2, at "
    "most 4.5 before the result is 0, scales; where it is not small, the few roundings are relative to the value"};

const Budget kOnce = {.global_reads = "N", .global_writes = "N", .launches = 1};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 36, .title = "GELU", .part = "Part XIII: fusion in practice",
    .builds_on = {2, 6, 22},
    .summary = "An activation function of nine operations: a chain of launches, then one kernel",
    .tasks = {{
        .tensors = {
            input("x", {"N"}, normal(0.25, 2.0)),
            intermediate("half", {"N"}, exact("halving a float rounds nothing")),
            intermediate("square", {"N"}, kRoundings),
            intermediate("cube", {"N"}, kRoundings),
            intermediate("cubic", {"N"}, kRoundings),
            intermediate("sum", {"N"}, kRoundings),
            intermediate("inner", {"N"}, {0.0, 0x1p-21, "2^-21 of the value: up to eight roundings of half an ulp"}),
            intermediate("tanh", {"N"},
                {0.0, 0x1p-20,
                 "2^-20 of the value: the error of its argument, which tanh makes no larger, and two ulp of its own"}),
            intermediate("one_plus", {"N"}, {0x1p-20, 0.0, "2^-20: the error of a tanh of size 1"}),
            output("y", {"N"}, kResult),
            output("exact", {"N"}, kResult)},
        .cases = cases({"N"}, {
            {"teaching", {301}},  // a full block, and a tail that no float4 fits
            {"one element", {1}}, {"less than a float4", {3}}, {"a lane short of a warp", {31}},
            {"a lane more than a warp", {33}}, {"one full block", {256}}, {"four blocks of float4", {4 * 1024}},
            {"many blocks", {5003}},
            // x^3 is up to 64 000: exp(2 * inner) is far beyond the largest float, tanh is 1 or -1.
            {"large values", {260}, {{"x", uniform(-40.0, 40.0)}}},
            // Here GELU is x/2 and the cubic term is below the last bit.
            {"around zero", {77}, {{"x", normal(0.0, 1e-3)}}}}),
        .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
        .reference = gelu_reference, .cross_check = gelu_by_shares, .cpu = gelu_cpu}},
    .variants = {
        {.name = "chain", .title = "CHAIN",
         .summary = "Nine launches, one for each operation, and eight vectors between them",
         .regions = {"chain"},
         .intermediates = {"half", "square", "cube", "cubic", "sum", "inner", "tanh", "one_plus"}, .outputs = {"y"},
         .budget = {.global_reads = "13*N", .global_writes = "9*N", .launches = 9}},
        {.name = "fused", .title = "FUSED",
         .summary = "One launch, an element a thread, everything between in registers",
         .regions = {"gelu_tanh", "fused"}, .outputs = {"y"}, .budget = kOnce},
        {.name = "exact", .title = "EXACT", .summary = "One launch, the form with the error function",
         .regions = {"gelu_exact"}, .outputs = {"exact"}, .budget = kOnce},
        {.name = "vector", .title = "VECTOR (16 bytes a load)", .summary = "One launch, four elements a thread",
         .regions = {"gelu_tanh", "vector"}, .outputs = {"y"}, .required = false,
         // A request serves 32 lanes of four elements; the last three take one each.
         .budget = {.global_reads = "N", .global_writes = "N", .launches = 1, .global_requests = 2 * ceil(Bound("N") / 128) + 6}}}};
