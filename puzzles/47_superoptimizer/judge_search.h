// Puzzle 47, given: how --search is judged: each function on examples, then what the search finds.
#pragma once

#include "judge_fields.h"
#include "search.h"

namespace judge {

inline std::string form_fault() {
  const Program program{"",   "bho", {}, {2, 2, 2}, {{"x", "bh"}, {"g", "h"}, {"w", "ho"}, {"v", "ho"}},
                        "bo", {}};
  struct {
    const char* what;
    bool same;
    void (*one)(Builder& g);
    void (*other)(Builder& g);
    const char* says;
  } const kPairs[] = {
      {"x * g and g * x", true, [](Builder& g) { g.mul(g["x"], g["g"]); },
       [](Builder& g) { g.mul(g["g"], g["x"]); }, "the order of factors does not matter: times() sorts them"},
      {"w + v and v + w", true, [](Builder& g) { g.add(g["w"], g["v"]); },
       [](Builder& g) { g.add(g["v"], g["w"]); }, "the order of terms does not matter: sorted() at the end"},
      {"w + v and w * v", false, [](Builder& g) { g.add(g["w"], g["v"]); },
       [](Builder& g) { g.mul(g["w"], g["v"]); },
       "a sum has the terms of both, a product has every pair of them as one term"},
      {"w + v and w", false, [](Builder& g) { g.add(g["w"], g["v"]); },
       [](Builder& g) { g.mul(g["w"], g["g"]); }, "a sum has the terms of both"},
      {"g * (w + v) and g * w + g * v", true, [](Builder& g) { g.mul(g["g"], g.add(g["w"], g["v"])); },
       [](Builder& g) {
         const int one = g.mul(g["g"], g["w"]);
         g.add(one, g.mul(g["g"], g["v"]));
       },
       "every term of one with every term of the other: two terms times one are two"},
      {"x / g and g / x", false, [](Builder& g) { g.div(g["x"], g["g"]); },
       [](Builder& g) { g.div(g["g"], g["x"]); },
       "a division does not commute: 1 / b is a factor of its own, atoms.make(Op::div, -1, b)"},
      {"x / g and x * g", false, [](Builder& g) { g.div(g["x"], g["g"]); },
       [](Builder& g) { g.mul(g["x"], g["g"]); },
       "1 / g is another factor than g: atoms.make(Op::div, -1, b)"},
      {"(w + v) / g and w / g + v / g", true, [](Builder& g) { g.div(g.add(g["w"], g["v"]), g["g"]); },
       [](Builder& g) {
         const int one = g.div(g["w"], g["g"]);
         g.add(one, g.div(g["v"], g["g"]));
       },
       "the denominator goes to every term"},
      {"sum(h, x) and x", false, [](Builder& g) { g.sum('h', g["x"]); },
       [](Builder& g) { g.mul(g["x"], g["g"]); }, "the index that is summed over belongs into `sums`"},
      {"sum(h, x * w) as a product and as a sum", true, [](Builder& g) { g.product('h', g["x"], g["w"]); },
       [](Builder& g) { g.sum('h', g.mul(g["x"], g["w"])); },
       "a product over h is a sum as well: its index belongs into `sums`"},
      {"sum(h, x) and sum(b, x)", false, [](Builder& g) { g.sum('h', g["x"]); },
       [](Builder& g) { g.sum('b', g["x"]); },
       "sums over different indices are different: node.over belongs into `sums`"},
      {"sum(h, w + v) and sum(h, w) + sum(h, v)", true, [](Builder& g) { g.sum('h', g.add(g["w"], g["v"])); },
       [](Builder& g) {
         const int one = g.sum('h', g["w"]);
         g.add(one, g.sum('h', g["v"]));
       },
       "a sum goes to every term"},
      {"sum(h, x / r * w) and sum(h, x * w) / r", true,
       [](Builder& g) { g.product('h', g.div(g["x"], g.rms('h', g["x"])), g["w"]); },
       [](Builder& g) {
         const int y = g.product('h', g["x"], g["w"]);
         g.div(y, g.rms('h', g["x"]));
       },
       "a sum is written at its terms, however far out it stands"},
      {"exp(x) and silu(x)", false, [](Builder& g) { g.exp(g["x"]); }, [](Builder& g) { g.silu(g["x"]); },
       "each function is an atom of its own: its op is part of it"},
      {"rms(h, x) and rms(b, x)", false, [](Builder& g) { g.rms('h', g["x"]); },
       [](Builder& g) { g.rms('b', g["x"]); },
       "an rms over another index is another atom: node.over is part of it"},
      {"exp(x * g) and exp(g * x)", true, [](Builder& g) { g.exp(g.mul(g["x"], g["g"])); },
       [](Builder& g) { g.exp(g.mul(g["g"], g["x"])); }, "an atom holds the form of its operand"},
  };
  Atoms atoms;
  for (const auto& pair : kPairs) {
    Builder one(program), other(program);
    pair.one(one), pair.other(other);
    if ((form_of(one.graph(), atoms) == form_of(other.graph(), atoms)) != pair.same)
      return std::string(pair.what) + (pair.same ? " have different forms" : " have the same form") + "\n  " +
             pair.says;
  }
  return {};
}

inline std::string useful_fault() {
  struct {
    const char* part;
    Program program;
    bool useful;
    void (*make)(Builder& g);
    const char* says;
  } const kParts[] = {
      {"x * g", rmsnorm_linear(), true, [](Builder& g) { g.mul(g["x"], g["g"]); },
       "multiplied by w / rms and summed it is the goal"},
      {"sum(h, x * w)", rmsnorm_linear(), true, [](Builder& g) { g.product('h', g["x"], g["w"]); },
       "times g / rms it has the goal's form: which g[h] is meant a form has forgotten"},
      {"g / rms(h, x)", rmsnorm_linear(), true, [](Builder& g) { g.div(g["g"], g.rms('h', g["x"])); },
       "1 / rms is one of the goal's factors"},
      {"x * x", rmsnorm_linear(), false, [](Builder& g) { g.mul(g["x"], g["x"]); },
       "no term of the goal has x twice, and rms takes x itself"},
      {"exp(x)", rmsnorm_linear(), false, [](Builder& g) { g.exp(g["x"]); },
       "nothing of the kind is in the goal"},
      {"w + a", lora_linear(), false, [](Builder& g) { g.add(g["w"], g["a"]); },
       "every term of the part has to be there, multiplied by the same factor"},
      {"w + sum(r, a * u)", lora_linear(), true,
       [](Builder& g) { g.add(g["w"], g.product('r', g["a"], g["u"])); },
       "times x, summed over h, it is both terms of the goal"},
      {"sum(r, a)", lora_linear(), true, [](Builder& g) { g.sum('r', g["a"]); },
       "by its form it may still be multiplied by x * u"},
      {"sum(h, x * u)", gated_mlp(), true, [](Builder& g) { g.product('h', g["x"], g["u"]); },
       "it goes into the silu: what stands within an atom of the goal is of use, too"},
      {"q * k", qknorm_attention(), true, [](Builder& g) { g.mul(g["q"], g["k"]); },
       "it goes into the exp: what stands within an atom of the goal is of use, too"},
      {"exp(scores)", qknorm_attention(), true,
       [](Builder& g) {
         const int q = g.div(g["q"], g.rms('d', g["q"])), k = g.div(g["k"], g.rms('d', g["k"]));
         g.exp(g.product('d', q, k));
       },
       "it is a factor of the goal"},
      {"exp(q)", qknorm_attention(), false, [](Builder& g) { g.exp(g["q"]); },
       "the goal has the exp of scores, and no other"},
  };
  for (const auto& part : kParts) {
    Atoms atoms;
    const Form goal = form_of(part.program.graph, atoms);
    Builder g(part.program);
    part.make(g);
    if (useful(form_of(g.graph(), atoms), goal, atoms) != part.useful)
      return std::string(part.part) + " in " + part.program.name +
             (part.useful ? " is useful" : " is of no use") + "\n  " + part.says;
  }
  return {};
}

/// Walks through all orders of all graphs of three operations.
class Orders {
 public:
  Orders() : program_{"", "h", {}, {2}, {{"x", "h"}, {"g", "h"}}, "h", {}} {
    graph_ = {{Op::input, 0}, {Op::input, 1}};
    walk(true);
  }
  std::map<std::vector<std::string>, int> allowed;  ///< by the formulas of its nodes: in how many orders
  int all = 0;

 private:
  void walk(bool is_allowed) {
    if (graph_.size() == 5) {
      std::vector<std::string> names;
      for (int i = 2; i < 5; ++i) names.push_back(name(i));
      std::sort(names.begin(), names.end());
      allowed[names] += is_allowed ? 1 : 0;
      ++all;
      return;
    }
    const int size = static_cast<int>(graph_.size());
    for (int a = 0; a < size; ++a) {
      go_on({Op::exp, a}, is_allowed);
      for (int b = a; b < size; ++b) go_on({Op::mul, a, b}, is_allowed);
    }
  }
  /// As a formula whose operands are sorted.
  std::string name(int i) const {
    const Node& node = graph_[static_cast<std::size_t>(i)];
    if (node.op == Op::input) return program_.inputs[static_cast<std::size_t>(node.a)].name;
    if (node.op == Op::exp) return "exp(" + name(node.a) + ")";
    const std::string a = name(node.a), b = name(node.b);
    return "(" + std::min(a, b) + " * " + std::max(a, b) + ")";
  }
  void go_on(const Node& node, bool is_allowed) {
    if (std::find(graph_.begin(), graph_.end(), node) != graph_.end()) return;
    const bool follows = graph_.size() == 2 || comes_after(node, graph_.back());
    graph_.push_back(node);
    walk(is_allowed && follows);
    graph_.pop_back();
  }
  Program program_;
  Graph graph_;
};

inline std::string order_fault() {
  const Orders orders;
  int kept = 0;
  std::string shortest;
  for (const auto& [names, times] : orders.allowed) {
    kept += times;
    const std::string all = names[0] + "; " + names[1] + "; " + names[2];
    if (times == 0 && (shortest.empty() || all.size() < shortest.size())) shortest = all;
  }
  if (!shortest.empty())
    return "no order is left in which these may be made: " + shortest +
           "\n  a node that reads the last one has to come after it: the later operand decides first";
  if (kept == orders.all) return "every order is allowed, so each graph is met as often as it has orders";
  if (2 * kept > 3 * static_cast<int>(orders.allowed.size()))
    return number(static_cast<std::uint64_t>(kept)) + " orders are left for " +
           number(orders.allowed.size()) + " graphs: nearly one each would do";
  return {};
}

/// What a search should find: how many graphs, and in how many states the solution does.
struct Expected {
  Program program;
  std::size_t graphs;
  int states;
};
inline std::vector<Expected> expected() {
  return {
      {rmsnorm_linear(), 5, 83}, {lora_linear(), 3, 24}, {gated_mlp(), 1, 6}, {qknorm_attention(), 10, 977}};
}
inline int operations(const Program& program) {
  return static_cast<int>(program.graph.size()) - program.count();
}

inline bool functions_of_search() {
  return is_right("form", form_fault()) && is_right("useful", useful_fault()) &&
         is_right("order", order_fault());
}

/// Nothing where the search is right: else words.
inline std::string search_fault(const Expected& expected, const Search& search) {
  const Program& program = expected.program;
  if (search.states > Search::kMost)
    return "more than " + number(Search::kMost) +
           " states\n  one of the questions is not asked, or its answer is passed over";
  std::vector<std::string> found;
  for (const Graph& graph : search.found) found.push_back(formula(graph, program));
  std::sort(found.begin(), found.end());
  for (std::size_t i = 1; i < found.size(); ++i)
    if (found[i] == found[i - 1]) return "found twice: " + found[i];
  for (const Claim& claim : claims()) {
    if (claim.program.name != program.name || !claim.is_equal) continue;
    bool is_there = false;
    for (const Graph& graph : search.found) is_there = is_there || graph.size() == claim.graph.size();
    if (!is_there)
      return "not found: " + formula(claim.graph, program) + ", " + claim.what +
             (search.found.empty()
                  ? "\n  nothing was kept: is a complete graph kept before the nodes left are asked for?"
                  : "");
  }
  if (search.found.size() > expected.graphs)
    return number(search.found.size()) + " graphs, and the forms let " + number(expected.graphs) +
           " through\n  is is_useful() asked of every node?";
  if (search.found.size() != expected.graphs)
    return number(search.found.size()) + " graphs, and there are " + number(expected.graphs) +
           (search.found.size() < expected.graphs ? "\n  something is left out before it could be joined"
                                                  : "");
  if (2 * search.states > 3 * expected.states)
    return "all graphs, in " + number(static_cast<std::uint64_t>(search.states)) + " states where " +
           number(static_cast<std::uint64_t>(expected.states)) +
           " would do\n  is every question asked: the order, the use, and whether all can still be joined?";
  return {};
}

inline void print_graphs(const Program& program, const std::vector<Graph>& graphs) {
  for (std::size_t i = 0; i < std::min<std::size_t>(graphs.size(), 5); ++i)
    std::printf("  %s\n", formula(graphs[i], program).c_str());
  if (graphs.size() > 5) std::printf("  and %zu more\n", graphs.size() - 5);
}

inline bool search() {
  if (!functions_of_search()) return false;
  for (const Expected& one : expected()) {
    Search search(one.program, operations(one.program), kDraws);
    extend(search);
    const std::string wrong = search_fault(one, search);
    if (!wrong.empty()) return is_right(one.program.name, wrong);
    std::printf("%s: %zu equal graph%s of at most %d operations, in %d states\n", one.program.name.c_str(),
                search.found.size(), search.found.size() == 1 ? "" : "s", operations(one.program),
                search.states);
    print_graphs(one.program, search.found);
  }
  // What the forms are worth, and what they miss.
  for (const Expected& one : {expected()[0], expected()[1]}) {
    Search all(one.program, operations(one.program), kDraws);
    all.prune = false;
    extend(all);
    std::printf("%s without forms: %zu equal graphs, in %d states\n", one.program.name.c_str(),
                all.found.size(), all.states);
    for (const Graph& graph : all.found) {
      Atoms atoms;
      if (form_of(graph, atoms) != form_of(one.program.graph, atoms))
        std::printf("  only so: %s\n", formula(graph, one.program).c_str());
    }
  }
  return true;
}

}  // namespace judge
