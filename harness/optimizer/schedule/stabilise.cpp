// A maximum for every exp that is summed, so that nothing overflows.
#include <algorithm>
#include <cmath>

#include "optimizer/graph/sizes.h"
#include "optimizer/graph/unary.h"
#include "optimizer/judge/verify.h"
#include "optimizer/schedule/schedule.h"

namespace workbook::opt {
namespace {

/// The index over which the node's result is summed or contracted, or -1.
int summed_over(const Graph& graph, int node) {
  for (const Node& user : graph.nodes)
    if (user.op != Op::input && (user.op == Op::sum || user.op == Op::matmul) &&
        (user.a == node || user.b == node))
      return user.over;
  return -1;
}

bool has_exp(const Graph& graph, int node) {
  const Node& op = graph.nodes[slot(node)];
  if (op.op == Op::input) return false;
  return op.op == Op::exp || has_exp(graph, op.a) || (op.b >= 0 && has_exp(graph, op.b));
}

bool is_exp_a_factor(const Graph& graph, int node) {
  const Node& op = graph.nodes[slot(node)];
  if (op.op == Op::exp) return true;
  if (op.op == Op::div) return is_exp_a_factor(graph, op.a);
  return op.op == Op::mul && (is_exp_a_factor(graph, op.a) || is_exp_a_factor(graph, op.b));
}

/// Whether it is contracted with another exp: each less its own maximum, all products may be 0.
bool meets_exp(const Graph& graph, int node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& user) {
    return user.op == Op::matmul && user.a != user.b && (user.a == node || user.b == node) &&
           is_exp_a_factor(graph, user.a == node ? user.b : user.a);
  });
}

/// Likewise where factors without an exp come between, such as a mask; -1 where sums over several indices
/// follow.
int summed_behind_factors(const Graph& graph, int node) {
  int over = -1;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    int found = -1;
    if (user.op == Op::sum || user.op == Op::matmul) {
      found = user.over;
    } else if (user.op == Op::mul && user.a != user.b && !has_exp(graph, user.a == node ? user.b : user.a)) {
      found = summed_behind_factors(graph, static_cast<int>(i));
    } else if (user.op == Op::div && user.a == node) {
      continue;  // by what belongs to the sum
    }
    if (found < 0 || (over >= 0 && over != found)) return -1;
    over = found;
  }
  return over;
}

bool is_log(const Graph& graph, const Node& node) {
  static const Function kLog{base_of("log"), -1, -1, -1};
  return node.op == Op::fn && graph.functions[node.fn] == kLog;
}

/// Nothing but logarithms reads it; of several outputs one may be its logarithm and others what it divides.
bool only_logs_read(const Graph& graph, int node) {
  bool any = false;
  for (const Node& user : graph.nodes) {
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    const bool log = is_log(graph, user);
    if (!log && graph.outputs.size() == 1) return false;
    any = any || log;
  }
  return any && !graph.is_output(node);
}

/// Where the fields cannot tell: doubles compare, on drawn numbers.
bool same_numbers(const Program& program, const Graph& graph, const Graph& other) {
  Extents extents;
  extents.fill(3);
  for (std::uint64_t draw = 0; draw < 8; ++draw) {
    std::vector<NumberTensor> inputs;
    for (const Tensor& tensor : graph.inputs) {
      NumberTensor values{tensor.set(), {}, {}};
      if (tensor.is_placed()) values.values = placed_values(tensor, extents);
      for (std::size_t i = values.values.size(); i < size_of(values.set, extents); ++i)
        values.values.push_back(tensor.constant >= 0
                                    ? value_of(graph.constants[slot(tensor.constant)], extents)
                                    : drawn_normal(mixed(hash_of(tensor.name), i + (draw << 32))));
      inputs.push_back(std::move(values));
    }
    const auto values = [&](const Graph& of) {
      return evaluate_numbers(of, program.output_set(), extents, inputs, {})[slot(of.output())].values;
    };
    const std::vector<double> one = values(graph), two = values(other);
    for (std::size_t i = 0; i < one.size(); ++i)
      if (std::isfinite(one[i]) && !(std::abs(one[i] - two[i]) <= 1e-9 * (1.0 + std::abs(one[i]))))
        return false;
  }
  return true;
}

/// Whether what is computed from the node, element by element, is summed or contracted: exp(u) * exp(w).
bool reaches_sum(const Graph& graph, int node) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    if (user.op == Op::sum || user.op == Op::matmul || reaches_sum(graph, static_cast<int>(i))) return true;
  }
  return false;
}

/// The graph with maxima put in. Where exp(u) has become exp(u - m), what is proportional to it carries a
/// factor exp(-m), which goes where such are divided by each other. What is added to such, as the exp of an
/// attention's sink is, has to carry it too: exp(w) becomes exp(w - m), and x becomes x * exp(-m).
class Stabiliser {
 public:
  explicit Stabiliser(const Graph& graph) : graph_(graph), result_(graph) { result_.nodes.clear(); }

  /// False where there is a product of exps for which no maximum of its own would do, or no room.
  bool run() {
    place_.resize(graph_.nodes.size());
    carried_.assign(graph_.nodes.size(), kNone);
    maximum_of_.assign(graph_.nodes.size(), kNone);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      if (!put(i)) return false;
    result_.outputs.clear();
    for (const int output : graph_.outputs) result_.outputs.push_back(place_[slot(output)]);
    return result_.nodes.size() <= kMaxNodes && result_.functions.size() <= kMaxFunctions;
  }
  const Graph& result() const { return result_; }
  bool changed() const { return changed_; }
  bool has_logs() const { return logs_; }  ///< whose sums got maxima

 private:
  static constexpr int kNone = -1, kSeveral = -2;  ///< factors exp(-m)

  std::int8_t add(const Node& node) {
    result_.nodes.push_back(node);
    return static_cast<std::int8_t>(result_.nodes.size() - 1);
  }
  int carried(int node) const { return node < 0 ? kNone : carried_[slot(node)]; }

  bool put(std::size_t i) {
    const Node& own = graph_.nodes[i];
    Node node = own;
    if (own.op != Op::input) {
      node.a = place_[slot(own.a)];
      if (own.b >= 0) node.b = place_[slot(own.b)];
    }
    if (result_.nodes.size() > kMaxNodes) return false;
    const int number = static_cast<int>(i);
    int over = own.op == Op::exp ? summed_over(graph_, number) : -1;
    if (own.op == Op::exp && over < 0) over = summed_behind_factors(graph_, number);
    if (over >= 0) {
      if (meets_exp(graph_, number)) return false;
      const auto most = add({Op::max, node.a, -1, static_cast<std::int8_t>(over), 0});
      node.a = add({Op::sub, node.a, most, -1, 0});
      maximum_of_[i] = carried_[i] = most;
      changed_ = true;
    } else if (own.op == Op::exp && reaches_sum(graph_, number)) {
      return false;  // a factor of what is summed: no maximum of its own would do
    } else {
      carry(own, node, i);
    }
    place_[i] = add(node);
    add_maximum_again(own, i);
    return true;
  }
  /// What the factor is that the node carries, and what is done so that it carries one.
  void carry(const Node& own, Node& node, std::size_t i) {
    const int a = carried(own.a), b = carried(own.b);
    if (a == kNone && b == kNone) return;
    int& result = carried_[i];
    result = kSeveral;
    switch (own.op) {
      case Op::sum:
      case Op::max:
      case Op::add:
      case Op::sub:
        if (own.over >= 0 || a == b) {
          result = a;
        } else if (a >= 0 && b == kNone) {
          node.b = scaled(own.b, a);
          result = a;
        } else if (b >= 0 && a == kNone) {
          node.a = scaled(own.a, b);
          result = b;
        }
        break;
      case Op::mul:
      case Op::matmul:
        if (a == kNone || b == kNone) result = a == kNone ? b : a;
        break;
      case Op::div:
        if (b == kNone) result = a;
        if (a == b && a >= 0) result = kNone;
        break;
      case Op::fn:
        carry_through(own, node, result);
        break;
      default:
        break;
    }
  }
  /// A number that is added behind a sum, as one is that keeps it from 0, is added by itself.
  void carry_through(const Node& own, Node& node, int& result) {
    const Function function = graph_.functions[own.fn];
    const int factor = carried(own.a);
    if (function.base != Base::identity || factor < 0) return;
    result = factor;
    if (function.plus < 0) return;
    Function times = function, plus{Base::identity, function.plus, -1, -1};
    times.plus = -1;
    const auto scaled_sum = add({Op::fn, node.a, -1, -1, function_number(times)});
    auto number = negative_exp(factor);
    if (!is_one(function.plus)) number = add({Op::fn, number, -1, -1, function_number(plus)});
    node = {Op::add, scaled_sum, number, -1, 0};
  }
  std::uint8_t function_number(const Function& function) {
    const auto at = std::find(result_.functions.begin(), result_.functions.end(), function);
    const auto number = static_cast<std::uint8_t>(at - result_.functions.begin());
    if (at == result_.functions.end()) result_.functions.push_back(function);
    return number;
  }
  bool is_one(int constant) const {
    const Constant& of = graph_.constants[slot(constant)];
    return of.steps.empty() && of.value == 1.0;
  }
  std::int8_t negative_exp(int most) {
    const auto is_minus_one = [](const Constant& each) { return each.steps.empty() && each.value == -1.0; };
    auto& constants = result_.constants;
    const auto at = std::find_if(constants.begin(), constants.end(), is_minus_one);
    const auto number = static_cast<std::int8_t>(at - constants.begin());
    if (at == constants.end()) constants.push_back({"-1", -1.0, {}});
    const auto function = function_number({Base::identity, number, -1, -1});
    const auto less = add({Op::fn, static_cast<std::int8_t>(most), -1, -1, function});
    return add({Op::exp, less, -1, -1, 0});
  }
  /// What a node of the graph becomes where it is to carry exp(-m).
  std::int8_t scaled(int number, int most) {
    const Node& own = graph_.nodes[slot(number)];
    if (own.op == Op::exp) {
      const auto less = add({Op::sub, place_[slot(own.a)], static_cast<std::int8_t>(most), -1, 0});
      return add({Op::exp, less, -1, -1, 0});
    }
    const auto factor = negative_exp(most);
    if (own.op == Op::input && graph_.inputs[slot(number)].constant >= 0 &&
        is_one(graph_.inputs[slot(number)].constant))
      return factor;
    return add({Op::mul, place_[slot(number)], factor, -1, 0});
  }

  /// log(sum exp(u)) = log(sum exp(u - m)) + m.
  void add_maximum_again(const Node& own, std::size_t i) {
    if (own.op == Op::sum && maximum_of_[slot(own.a)] >= 0 && only_logs_read(graph_, static_cast<int>(i)))
      maximum_of_[i] = maximum_of_[slot(own.a)];
    if (!is_log(graph_, own) || maximum_of_[slot(own.a)] < 0) return;
    place_[i] = add({Op::add, static_cast<std::int8_t>(maximum_of_[slot(own.a)]), place_[i], -1, 0});
    carried_[i] = kNone;
    logs_ = true;
  }

  const Graph& graph_;
  Graph result_;
  std::vector<std::int8_t> place_;  ///< in the result, of each node
  std::vector<int> carried_;        ///< the maximum m of whose exp(-m) it has a factor
  std::vector<int> maximum_of_;     ///< of exps, and of sums of such that logarithms read
  bool changed_ = false, logs_ = false;
};

}  // namespace

std::optional<Graph> stabilised(const Program& program, const Graph& graph) {
  Stabiliser stabiliser(graph);
  if (!stabiliser.run()) return std::nullopt;
  if (!stabiliser.changed()) return graph;
  const Graph& result = stabiliser.result();
  if (type_fault(result, program.output_set())) return std::nullopt;
  const auto equal = [&](const Program& of, const Graph& one, const Graph& other) {
    if (stabiliser.has_logs()) return same_numbers(of, one, other);
    try {
      const Verified verified = Verifier(of, {}).verify(other, false);
      return verified.equal || (verified.hashed && same_numbers(of, one, other));
    } catch (const NoDraw&) {
      return same_numbers(of, one, other);
    }
  };
  for (int i = 0; i < static_cast<int>(graph.outputs.size()); ++i)
    if (!equal(only_output(program, i), only_output(graph, i), only_output(result, i))) return std::nullopt;
  return result;
}

Graph as_it_stands(const Program& program) {
  const Graph plain = expanded(program, program.graph);
  return stabilised(program, plain).value_or(plain);
}

}  // namespace workbook::opt
