#include "optimizer/language/definitions.h"

#include <algorithm>
#include <iterator>

namespace workbook::opt {
namespace {

constexpr Definition kDefinitions[] = {
    {"maximum", false, 2, "max(x, a)"},
    {"minimum", false, 2, "min(x, a)"},
    {"clamp", false, 3, "min(max(x, a), b)"},
    {"clip", false, 3, "min(max(x, a), b)"},
    {"square", false, 1, "x * x"},
    {"reciprocal", false, 1, "1 / x"},
    {"exp2", false, 1, "2 ** x"},
    {"log2", false, 1, "log(x) / log(2)"},
    {"log10", false, 1, "log(x) / log(10)"},
    {"swish", false, 1, "silu(x)"},
    {"relu6", false, 1, "min(relu(x), 6)"},
    {"hardtanh", false, 1, "min(max(x, -1), 1)"},
    {"hardsigmoid", false, 1, "min(relu(x + 3), 6) / 6"},
    {"hardswish", false, 1, "x * min(relu(x + 3), 6) / 6"},
    {"leaky_relu", false, 2, "max(x, 0) + a * min(x, 0)"},
    {"elu", false, 1, "max(x, 0) + expm1(min(x, 0))"},
    {"logsigmoid", false, 1, "-softplus(-x)"},
    {"mish", false, 1, "x * tanh(softplus(x))"},
    {"softmax", true, 1, "exp(x) / sum(i, exp(x))"},
    {"log_softmax", true, 1, "x - log(sum(i, exp(x)))"},
    {"logsumexp", true, 1, "log(sum(i, exp(x)))"},
    {"var", true, 1, "mean(i, (x - mean(i, x)) ** 2)"},
    {"std", true, 1, "sqrt(mean(i, (x - mean(i, x)) ** 2))"},
    {"norm", true, 1, "sqrt(sum(i, x * x))"},
};

struct Instead {
  std::string_view names;  ///< between spaces
  std::string_view words;
};
constexpr std::string_view kPositions =
    "where in an index the largest element lies is no number that is computed here; max(h, x) is the element";
constexpr Instead kInstead[] = {
    {" argmax argmin topk sort argsort ", kPositions},
    {" matmul mm bmm dot einsum inner linear ",
     "a matrix product is a sum of a product over the index that both have: sum(h, x * w)"},
    {" cumsum ",
     "a cumulative sum along t is a masked sum over another index of the same size: sum(u, where(u <= t, x, 0))"},
    {" prod cumprod ", "of a product of positive elements take the logarithm: exp(sum(h, log(x)))"},
    {" transpose permute swapaxes reshape view flatten T ",
     "an element is found by the names of its indices, in whatever order they lie: say the order where the tensor is "
     "declared, input x[b,h] or output y[h,b]"},
    {" median quantile unique ", "what has to be sorted is not there: sums, means, maxima and minima are"},
    {" dropout rand randn ",
     "random numbers are not there: give a mask of them as an input, and multiply by it"},
    {" gather take embedding index_select ", "rows are chosen by an input of i32: table[id, h]"},
    {" conv1d conv2d convolution ",
     "a convolution is a sum of a product of parts: sum(k, x[b, t + k - 3, c] * w)"},
    {" len shape ", "the extent of an index is size(h)"},
    {" not ", "the opposite of a condition c is where(c, 0, 1), or its sign turned: x <= 0 for x > 0"},
};

}  // namespace

const Definition* definition_of(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kDefinitions), std::end(kDefinitions),
                                         [&](const Definition& each) { return each.name == name; });
  return found == std::end(kDefinitions) ? nullptr : found;
}

std::string_view instead_of(std::string_view name) {
  for (const Instead& each : kInstead)
    for (std::size_t at = each.names.find(name); at != std::string_view::npos;
         at = each.names.find(name, at + 1))
      if (each.names[at - 1] == ' ' && each.names[at + name.size()] == ' ') return each.words;
  return {};
}

}  // namespace workbook::opt
