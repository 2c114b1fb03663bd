#include "optimizer/judge/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimizer/search/enumerate.h"

namespace workbook::opt {
namespace {

constexpr int kFewestDraws = 4;
constexpr int kOtherDraws = 8;
constexpr std::int32_t kPrimes[] = {2, 3, 5, 7};
constexpr double kFullWork = 1 << 24;  ///< multiply-adds of a draw at full extents

}  // namespace

double Difference::chance_a_draw(const Field& field) const {
  if (opaque) return 1.0;
  const double d = std::max(degree, 1.0);
  double chance = (roots ? 4.0 : 1.0) * d / field.p().prime();
  if (exponentials > 0) {
    const double q = field.q().prime(), k = exponentials;
    chance = 8.0 * d * std::pow(k, 4) / q + std::pow(q, -1.0 / (k * k));
  }
  return std::min(chance, 1.0);
}

Verifier::Verifier(const Program& program, const VerifyOptions& options)
    : program_(program), options_(options) {
  for (int pair = 0; pair < Field::kPairs; ++pair) fields_.push_back(std::make_unique<Field>(pair));
}

Verifier::At& Verifier::at(const Extents& extents, std::uint32_t number) {
  for (auto& [key, known] : kept_)
    if (key.second == number && key.first == extents) return known;
  At at;
  at.evaluator = std::make_unique<FieldEvaluator>(*fields_[number % Field::kPairs], program_.graph, extents,
                                                  Draw{options_.seed, number});
  at.inputs = drawn_inputs(*at.evaluator, program_, options_.inputs);
  at.output = evaluate(*at.evaluator, program_.graph, program_.output_set(),
                       at.inputs)[static_cast<std::size_t>(program_.graph.output())];
  kept_.emplace_back(std::make_pair(extents, number), std::move(at));
  return kept_.back().second;
}

bool Verifier::agrees(At& at, const Graph& graph, bool& hashed) {
  FieldEvaluator evaluator(at.evaluator->field(), graph, at.evaluator->layout().extents(),
                           at.evaluator->draw());
  std::vector<FieldTensor> inputs = at.inputs;
  add_inputs(evaluator, graph, inputs);
  const std::vector<FieldTensor> values = evaluate(evaluator, graph, program_.output_set(), inputs);
  const FieldTensor& output = values[static_cast<std::size_t>(graph.output())];
  hashed = hashed || output.hashed || at.output.hashed;
  // Where one side knows no part modulo q, the other has none to compare.
  if (output.set != at.output.set || output.zero_divisor) return false;
  for (std::size_t i = 0; i < output.values.size(); ++i)
    if (output.values[i].p != at.output.values[i].p ||
        (!output.lost && !at.output.lost && output.values[i].q != at.output.values[i].q))
      return false;
  return true;
}

Extents Verifier::full_extents() const {
  const Graph& graph = program_.graph;
  const IndexSet output = program_.output_set();
  IndexSet summed = 0;
  for (const Node& node : graph.nodes)
    if (node.over >= 0) summed |= only(node.over);
  Extents extents;
  extents.fill(1);
  double outputs = 1;
  for (std::size_t i = 0; i < graph.indices.size(); ++i) {
    const bool whole = has(summed, static_cast<int>(i));
    extents[i] =
        static_cast<std::int32_t>(std::min<std::int64_t>(graph.indices[i].real, whole ? 1 << 20 : 8));
    if (!whole && outputs * extents[i] > 64) extents[i] = 1;
    if (!whole) outputs *= extents[i];
  }
  const auto work = [&] {
    double total = 0;
    const std::vector<IndexSet> shapes = shapes_of(graph, output);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      total += static_cast<double>(size_of(shapes[i], extents)) *
               (graph.nodes[i].over >= 0 ? extents[static_cast<std::size_t>(graph.nodes[i].over)] : 1);
    return total;
  };
  while (work() > kFullWork) {
    auto& largest = *std::max_element(extents.begin(), extents.end());
    if (largest <= 2) break;
    largest /= 2;
  }
  return extents;
}

Verified Verifier::verify(const Graph& graph, bool with_full_extents) {
  Verified result;
  const Extents tiny = tiny_extents(program_);
  result.difference = difference_of(program_, graph, tiny);
  const double a_draw = result.difference.chance_a_draw(*fields_.front());
  int draws = options_.most_draws;
  if (a_draw < 1.0)
    draws = std::clamp(static_cast<int>(std::ceil(std::log(options_.chance) / std::log(a_draw))),
                       kFewestDraws, options_.most_draws);
  const auto refused = [&](const Extents& extents, std::uint32_t number, std::string where) {
    if (agrees(at(extents, number), graph, result.hashed)) return false;
    result.refused_at = std::move(where);
    return true;
  };
  for (int draw = 0; draw < draws; ++draw) {
    if (refused(tiny, static_cast<std::uint32_t>(draw), fmt::format("draw {}", draw + 1))) return result;
    ++result.draws;
  }
  result.chance = std::pow(a_draw, draws);
  for (int draw = 0; draw < kOtherDraws; ++draw) {
    Extents extents;
    extents.fill(1);
    for (std::size_t i = 0; i < program_.graph.indices.size(); ++i)
      extents[i] = kPrimes[(i + static_cast<std::size_t>(draw)) % 4];
    if (refused(extents, 1000u + static_cast<std::uint32_t>(draw),
                "extents " + extents_text(program_.graph, extents)))
      return result;
    ++result.other_draws;
  }
  if (with_full_extents && options_.full_extents) {
    const Extents full = full_extents();
    for (std::uint32_t draw = 0; draw < 2; ++draw) {
      if (refused(full, 2000u + draw, "extents " + extents_text(program_.graph, full))) return result;
      ++result.other_draws;
    }
    result.full = full;
  }
  result.equal = true;
  return result;
}

std::string extents_text(const Graph& graph, const Extents& extents) {
  std::string text;
  for (std::size_t i = 0; i < graph.indices.size(); ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", graph.indices[i].name, extents[i]);
  return text;
}

}  // namespace workbook::opt
