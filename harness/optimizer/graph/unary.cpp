#include "optimizer/graph/unary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace workbook::opt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double gelu(double u) { return 0.5 * u * (1.0 + std::tanh(0.7978845608028654 * (u + 0.044715 * u * u * u))); }
double sigmoid(double u) { return 1.0 / (1.0 + std::exp(-u)); }
double softplus(double u) { return std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u))); }

/// Of a function whose slope is nowhere more than kHundredths / 100.
template <int kHundredths>
double sloped(double, double error) {
  return error * kHundredths / 100.0;
}
/// Of one that only grows, or only falls, and has no value beyond an end.
template <double (*kValue)(double)>
double monotone(double x, double error) {
  const double value = kValue(x);
  const double off = std::max(std::abs(kValue(x + error) - value), std::abs(kValue(x - error) - value));
  return std::isfinite(value) && std::isnan(off) ? kInfinity : off;
}
/// Of one that jumps at 0.
double jump(double x, double error) { return error > 0.0 && std::abs(x) <= error ? kInfinity : 0.0; }

double root(double x) { return std::sqrt(x); }
double root_bound(double x, double error) { return std::sqrt(x) - std::sqrt(std::max(x - error, 0.0)); }
double inverse_root_bound(double x, double error) {
  const double least = std::sqrt(x) - root_bound(x, error);
  return least > 0.0 ? root_bound(x, error) / std::sqrt(x) / least : kInfinity;
}
double logarithm(double x) { return std::log(x); }

double logarithm_beside(double x) { return std::log1p(x); }
double exponential_less(double x) { return std::expm1(x); }
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }
double round_even(double x) { return std::nearbyint(x); }
double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }
double next(double x) { return x + 1.0; }

double same(double x) { return x; }
double one(double) { return 1.0; }
double unknown(double) { return kInfinity; }

}  // namespace

const std::vector<Unary>& unary_functions() {
  // The rows down to relu are those of Base, in its order: the fields know more of them than their names.
  static const std::vector<Unary> rows = {
      {"", "#", "", same, sloped<100>, same},
      {"sqrt", "sqrtf(#)", "", root, root_bound, root},
      {"rsqrt", "rsqrtf(#)", "", [](double x) { return 1.0 / std::sqrt(x); }, inverse_root_bound, unknown},
      {"silu", "silu(#)", "silu", [](double x) { return x * sigmoid(x); }, sloped<110>, same},
      {"gelu", "gelu(#)", "gelu", gelu, sloped<113>, same},
      {"tanh", "tanhf(#)", "", [](double x) { return std::tanh(x); }, sloped<100>, one},
      {"relu", "fmaxf(#, 0.0f)", "", [](double x) { return std::max(x, 0.0); }, sloped<100>, same},
      {"sigmoid", "sigmoid(#)", "sigmoid", sigmoid, sloped<25>, one},
      {"log", "logf(#)", "", logarithm, monotone<logarithm>, unknown},
      {"softplus", "softplus(#)", "softplus", softplus, sloped<100>, softplus},
      {"abs", "fabsf(#)", "", [](double x) { return std::abs(x); }, sloped<100>, same},
      {"erf", "erff(#)", "", [](double x) { return std::erf(x); }, sloped<113>, one},
      {"sin", "sinf(#)", "", [](double x) { return std::sin(x); }, sloped<100>, one},
      {"cos", "cosf(#)", "", [](double x) { return std::cos(x); }, sloped<100>, one},
      {"log1p", "log1pf(#)", "", [](double x) { return std::log1p(x); }, monotone<logarithm_beside>, unknown},
      {"expm1", "expm1f(#)", "", exponential_less, monotone<exponential_less>, exponential_less},
      {"atan", "atanf(#)", "", [](double x) { return std::atan(x); }, sloped<100>, same},
      {"floor", "floorf(#)", "", round_down, monotone<round_down>, next},
      {"ceil", "ceilf(#)", "", round_up, monotone<round_up>, next},
      {"round", "rintf(#)", "", round_even, monotone<round_even>, next},
      {"sign", "sign(#)", "sign", sign, monotone<sign>, one},
      {"positive", "(# > 0.0f ? 1.0f : 0.0f)", "", [](double x) { return x > 0.0 ? 1.0 : 0.0; }, jump, one,
       true},
      {"not_positive", "(# > 0.0f ? 0.0f : 1.0f)", "", [](double x) { return x > 0.0 ? 0.0 : 1.0; }, jump,
       one, true},
      {"zero", "(# == 0.0f ? 1.0f : 0.0f)", "", [](double x) { return x == 0.0 ? 1.0 : 0.0; }, jump, one,
       true},
      {"not_zero", "(# == 0.0f ? 0.0f : 1.0f)", "", [](double x) { return x == 0.0 ? 0.0 : 1.0; }, jump, one,
       true},
  };
  return rows;
}

const Unary& unary(Base base) { return unary_functions()[static_cast<std::size_t>(base)]; }

std::string call_text(Base base, std::string_view argument) {
  std::string text(unary(base).text);
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + argument.size()))
    text.replace(at, 1, argument);
  return text;
}

Base base_of(std::string_view name) {
  const auto& rows = unary_functions();
  return static_cast<Base>(
      std::find_if(rows.begin(), rows.end(), [&](const Unary& row) { return row.name == name; }) -
      rows.begin());
}

bool selects(const Graph& graph, int node) {
  if (node < 0) return false;
  const Node& op = graph.nodes[static_cast<std::size_t>(node)];
  if (op.op == Op::input) return graph.inputs[static_cast<std::size_t>(op.a)].placed.is_condition();
  return op.op == Op::fn && unary(graph.functions[op.fn].base).selects;
}

}  // namespace workbook::opt
