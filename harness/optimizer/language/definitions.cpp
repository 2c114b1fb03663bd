#include "optimizer/language/definitions.h"

#include <algorithm>
#include <iterator>

namespace workbook::opt {
namespace {

constexpr Definition kDefinitions[] = {
    {"maximum", false, 2, "max(x, a)"},
    {"minimum", false, 2, "min(x, a)"},
    {"amax", true, 1, "max(i, x)"},
    {"amin", true, 1, "min(i, x)"},
    {"clamp", false, 3, "min(max(x, a), b)"},
    {"clip", false, 3, "min(max(x, a), b)"},
    {"square", false, 1, "x * x"},
    {"reciprocal", false, 1, "1 / x"},
    {"ln", false, 1, "log(x)"},
    {"exp2", false, 1, "2 ** x"},
    {"log2", false, 1, "log(x) / log(2)"},
    {"log10", false, 1, "log(x) / log(10)"},
    {"fabs", false, 1, "abs(x)"},
    {"rint", false, 1, "round(x)"},
    {"trunc", false, 1, "sign(x) * floor(abs(x))"},
    {"frac", false, 1, "x - sign(x) * floor(abs(x))"},
    {"remainder", false, 2, "x % a"},
    {"mod", false, 2, "x % a"},
    {"floor_divide", false, 2, "x // a"},
    {"tan", false, 1, "sin(x) / cos(x)"},
    {"arctan", false, 1, "atan(x)"},
    {"sinh", false, 1, "(expm1(x) - expm1(-x)) / 2"},
    {"cosh", false, 1, "(exp(x) + exp(-x)) / 2"},
    {"swish", false, 1, "silu(x)"},
    {"gelu_tanh", false, 1, "gelu(x)"},
    {"gelu_erf", false, 1, "x * (0.5 + 0.5 * erf(x * sqrt(0.5)))"},
    {"quick_gelu", false, 1, "x * sigmoid(1.702 * x)"},
    {"relu6", false, 1, "min(relu(x), 6)"},
    {"relu2", false, 1, "relu(x) * relu(x)"},
    {"hardtanh", false, 1, "min(max(x, -1), 1)"},
    {"hardsigmoid", false, 1, "min(relu(x + 3), 6) / 6"},
    {"hardswish", false, 1, "x * min(relu(x + 3), 6) / 6"},
    {"leaky_relu", false, 2, "max(x, 0) + a * min(x, 0)", "0.01"},
    {"prelu", false, 2, "max(x, 0) + a * min(x, 0)"},
    {"elu", false, 2, "max(x, 0) + a * expm1(min(x, 0))", "1"},
    {"celu", false, 2, "max(x, 0) + a * expm1(min(x, 0) / a)", "1"},
    {"selu", false, 1, "1.0507009873554805 * max(x, 0) + 1.7580993408473766 * expm1(min(x, 0))"},
    {"softsign", false, 1, "x / (1 + abs(x))"},
    {"tanhshrink", false, 1, "x - tanh(x)"},
    {"softshrink", false, 2, "sign(x) * relu(abs(x) - a)", "0.5"},
    {"hardshrink", false, 2, "where(abs(x) > a, x, 0)", "0.5"},
    {"logsigmoid", false, 1, "-softplus(-x)"},
    {"logit", false, 1, "log(x) - log1p(-x)"},
    {"mish", false, 1, "x * tanh(softplus(x))"},
    {"softmax", true, 1, "exp(x) / sum(i, exp(x))"},
    {"softmin", true, 1, "exp(-x) / sum(i, exp(-x))"},
    {"log_softmax", true, 1, "x - log(sum(i, exp(x)))"},
    {"logsumexp", true, 1, "log(sum(i, exp(x)))"},
    {"var", true, 1, "mean(i, (x - mean(i, x)) ** 2)"},
    {"std", true, 1, "sqrt(mean(i, (x - mean(i, x)) ** 2))"},
    {"norm", true, 1, "sqrt(sum(i, x * x))"},
    {"normalize", true, 1, "x / max(sqrt(sum(i, x * x)), 1e-12)"},
    {"rms_norm", true, 2, "x / rms(i, x, a)", "1e-5"},
    {"rmsnorm", true, 2, "x / rms(i, x, a)", "1e-5"},
    {"layer_norm", true, 2, "(x - mean(i, x)) / rms(i, x - mean(i, x), a)", "1e-5"},
    {"layernorm", true, 2, "(x - mean(i, x)) / rms(i, x - mean(i, x), a)", "1e-5"},
};

struct Instead {
  std::string_view names;  ///< between spaces
  std::string_view words;
};
constexpr std::string_view kPositions =
    "where in an index the largest element lies is no number that is computed here; max(h, x) is the element";
constexpr Instead kInstead[] = {
    {" argmax argmin topk sort argsort ", kPositions},
    {" matmul mm bmm einsum inner linear addmm ",
     "a matrix product is a sum of a product over the index that both have: sum(h, x * w)"},
    {" dot vdot ", "a product of rows is a sum over the index that both have: sum(h, x * z)"},
    {" outer ", "a product has the indices of both where the output has them: y = x * z, output y[b,h]"},
    {" tril triu causal_mask ", "a triangle is what places decide: where(t <= s, x, 0)"},
    {" eye one_hot diag ", "1 on a diagonal is a comparison of places: s == t"},
    {" zeros ones full zeros_like ones_like full_like ", "a number stands by itself, as in x + 1 or 0 * x"},
    {" arange linspace ", "where in an index an element lies is place(h)"},
    {" half bfloat16 float double int long to astype type cast ",
     "types are those of inputs and of the output, input x[b,h] f16 and output y[b,h] f32; between, all is "
     "computed as float"},
    {" stack cat concatenate hstack vstack ", "inputs side by side are concat(i, a, b)"},
    {" split chunk slice narrow ", "a part says where each of its elements lies: x[b, h + 1], x[b, 2 * i]"},
    {" pad roll flip ", "an element at another place is x[b, h - 1], x[b, 7 - h]; outside of x it is 0"},
    {" expand repeat tile broadcast_to unsqueeze squeeze ",
     "what lacks an index is the same along it: nothing has to be written"},
    {" attention scaled_dot_product_attention sdpa ",
     "an attention is sum(t, softmax(t, sum(d, q * k) / sqrt(d)) * v)"},
    {" e ", "e to the power of x is exp(x)"},
    {" nan isnan isinf isfinite nan_to_num ", "what is no number cannot be asked for: give inputs that are"},
    {" for while if else return def lambda ",
     "a line is NAME = EXPRESSION for all elements at once, and a choice is where(c, a, b)"},
    {" any all ", "whether any is not 0 is max(h, x != 0), whether all are is min(h, x != 0)"},
    {" conv3d max_pool1d max_pool2d avg_pool1d avg_pool2d ",
     "a window goes over parts: max(k, x[b, 2 * i + k]), mean(k, x[b, 2 * i + k])"},
    {" batch_norm group_norm instance_norm ",
     "a norm is written out: (x - mean(h, x)) / sqrt(var(h, x) + 1e-5)"},
    {" cross_entropy nll_loss mse_loss l1_loss ",
     "a loss is written out: logsumexp(v, x) - sum(v, where(v == id, x, 0)), mean(h, (x - z) ** 2)"},
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
};

}  // namespace

const Definition* definition_of(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kDefinitions), std::end(kDefinitions),
                                         [&](const Definition& each) { return each.name == name; });
  return found == std::end(kDefinitions) ? nullptr : found;
}

std::string written(const Definition& definition) {
  std::string text = std::string(definition.name) + (definition.over ? "(h, x" : "(x");
  static constexpr std::string_view kMore[] = {", a", ", b"};
  for (int i = 1; i < definition.arguments; ++i) text += kMore[i - 1];
  return text + ")";
}

std::vector<std::string> definition_names() {
  std::vector<std::string> names;
  for (const Definition& each : kDefinitions) names.emplace_back(each.name);
  return names;
}

std::string_view instead_of(std::string_view name) {
  for (const Instead& each : kInstead)
    for (std::size_t at = each.names.find(name); at != std::string_view::npos;
         at = each.names.find(name, at + 1))
      if (each.names[at - 1] == ' ' && each.names[at + name.size()] == ' ') return each.words;
  return {};
}

}  // namespace workbook::opt
