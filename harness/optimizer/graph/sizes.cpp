#include "optimizer/graph/sizes.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "optimizer/graph/unary.h"

namespace workbook::opt {
namespace {

Extents extents_of(const Graph& graph, std::int64_t Index::*which) {
  Extents extents;
  extents.fill(1);
  for (std::size_t i = 0; i < graph.indices.size(); ++i)
    extents[i] = static_cast<std::int32_t>(graph.indices[i].*which);
  return extents;
}

/// What the steps come to; `T` is a number or a text.
template <class T, class Leaf, class Two, class One>
T walked(const std::vector<SizeStep>& steps, Leaf leaf, Two two, One one) {
  std::vector<T> stack(steps.size() + 1);
  std::size_t top = 0;  // above it
  for (const SizeStep& step : steps) {
    if (step.kind == SizeStep::number || step.kind == SizeStep::extent) {
      stack[top++] = leaf(step);
    } else if (step.kind == SizeStep::fn || step.kind == SizeStep::exp) {
      stack[top - 1] = one(step, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = two(step.kind, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

std::string float_text(double value) { return fmt::format("{:#.9g}f", value); }

}  // namespace

Extents teaching_extents(const Graph& graph) { return extents_of(graph, &Index::teaching); }
Extents real_extents(const Graph& graph) { return extents_of(graph, &Index::real); }

double value_of(const Constant& constant, const Extents& extents) {
  if (constant.steps.empty()) return constant.value;
  return walked<double>(
      constant.steps,
      [&](const SizeStep& step) {
        return step.kind == SizeStep::extent ? static_cast<double>(extents[step.index]) : step.value;
      },
      [](SizeStep::Kind kind, double a, double b) {
        return kind == SizeStep::add   ? a + b
               : kind == SizeStep::sub ? a - b
               : kind == SizeStep::mul ? a * b
                                       : a / b;
      },
      [](const SizeStep& step, double a) {
        return step.kind == SizeStep::exp ? std::exp(a) : unary(step.base).value(a);
      });
}

std::string text_of(const Constant& constant, const std::function<std::string(int index)>& size_of) {
  if (constant.steps.empty()) return float_text(constant.value);
  return walked<std::string>(
      constant.steps,
      [&](const SizeStep& step) {
        return step.kind == SizeStep::extent ? "static_cast<float>(" + size_of(step.index) + ")"
                                             : float_text(step.value);
      },
      [](SizeStep::Kind kind, const std::string& a, const std::string& b) {
        static constexpr std::string_view kSigns = "+-*/";
        return fmt::format("({} {} {})", a, kSigns[static_cast<std::size_t>(kind - SizeStep::add)], b);
      },
      [](const SizeStep& step, const std::string& a) {
        return step.kind == SizeStep::exp ? "expf(" + a + ")" : call_text(step.base, a);
      });
}

}  // namespace workbook::opt
