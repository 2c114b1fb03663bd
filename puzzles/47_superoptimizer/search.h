// Puzzle 47, given: the state of a search, a graph that grows node by node. The walk through it is the
// learner's.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "field.h"
#include "forms.h"

namespace graphs {

class Search;

}  // namespace graphs
using namespace graphs;

// The learner's (kernels.cu).
bool comes_after(const Node& node, const Node& last);
void extend(Search& search);

namespace graphs {

class Search {
 public:
  /// For graphs of at most `limit` operations that are equal to the program.
  Search(const Program& program, int limit, int draws)
      : program_(program), limit_(limit), draws_(draws), goal_(form_of(program.graph, atoms_)) {
    const std::vector<Tensor> inputs = random_inputs(program, 0);
    wanted_ = result_of(program.graph, program, inputs);
    for (const Node& node : program.graph) ops_.insert(node.op);
    for (int i = 0; i < program.count(); ++i)
      add({Op::input, i}, Form{{{}, {i}}}, inputs[static_cast<std::size_t>(i)]);
  }

  // ---- what extend() asks ----

  /// Every node that could come next: its operands are there, and its indices fit.
  std::vector<Node> candidates() const {
    std::vector<Node> result;
    const auto offer = [&](const Node& node) {
      if (ops_.count(node.op) > 0 && fits(node)) result.push_back(node);
    };
    const int indices = static_cast<int>(program_.letters.size());
    for (int a = 0; a < size(); ++a) {
      for (const Op op : {Op::exp, Op::silu}) offer({op, a});
      for (int over = 0; over < indices; ++over)
        for (const Op op : {Op::sum, Op::rms}) offer({op, a, -1, over});
      for (int b = 0; b < size(); ++b) {
        offer({Op::div, a, b});
        if (b < a) continue;  // a + b is b + a
        for (const Op op : {Op::add, Op::mul}) offer({op, a, b});
        for (int over = 0; over < indices; ++over) offer({Op::product, a, b, over});
      }
    }
    return result;
  }
  /// The node that was added last; before the first, one that every other comes after.
  Node last() const { return operations() == 0 ? Node{} : graph_.back(); }
  /// Whether the node is of use: a graph equal to the program may have it, by its form, and no node that is
  /// there has its values already.
  bool is_useful(const Node& node) {
    return useful_form(form_number(node)) && seen_.count(key_of(value(node))) == 0;
  }

  /// Adds a node, and takes the last one away.
  void push(const Node& node) {
    ++states;
    if (states > kMost) return;
    const int form = form_number(node);
    Tensor tensor = value(node);
    add(node, forms_[static_cast<std::size_t>(form)], std::move(tensor));
  }
  void pop() {
    if (states > kMost) return;
    seen_.erase(key_of(values_.back()));
    graph_.pop_back(), of_.pop_back(), values_.pop_back();
  }
  /// How many more operations there may be, counting none once the search has gone astray.
  int left() const { return states > kMost ? 0 : limit_ - operations(); }
  /// Tensors that nothing reads yet, unread inputs among them: each operation can join two of them to one.
  int loose() const {
    int count = 0;
    for (int i = 0; i < size(); ++i) count += is_read(graph_, i) ? 0 : 1;
    return count;
  }
  /// Whether the graph is done: nothing is loose but its last node, which has the program's values.
  bool is_complete() const {
    return loose() == 1 && equal_tensors(values_.back(), wanted_) &&
           ::equal(program_, graph_, random_inputs, draws_);
  }
  /// Keeps the graph.
  void keep() { found.push_back(graph_); }

  std::vector<Graph> found;
  int states = 0;  ///< how often push() was called
  static constexpr int kMost = 150'000;
  /// Whether forms are looked at, so that it can be seen what they are worth.
  bool prune = true;

 private:
  int size() const { return static_cast<int>(graph_.size()); }
  int operations() const { return size() - program_.count(); }
  void add(const Node& node, Form form, Tensor tensor) {
    graph_.push_back(node);
    of_.push_back(number(std::move(form)));
    seen_.insert(key_of(tensor));
    values_.push_back(std::move(tensor));
  }
  bool fits(const Node& node) const {
    const Tensor& a = values_[static_cast<std::size_t>(node.a)];
    if (node.op == Op::exp) return !a.values[0].lost;
    if (node.b < 0) return node.op == Op::silu || has(a.set, node.over);
    const Tensor& b = values_[static_cast<std::size_t>(node.b)];
    if (node.op == Op::product) return has(a.set, node.over) && has(b.set, node.over) && a.set != b.set;
    const Indices both = a.set | b.set;
    return both == a.set || both == b.set || within(both, wanted_.set);
  }
  Tensor value(const Node& node) const {
    const Tensor& a = values_[static_cast<std::size_t>(node.a)];
    return evaluate(node, program_, a, node.b < 0 ? a : values_[static_cast<std::size_t>(node.b)]);
  }
  static std::uint64_t key_of(const Tensor& tensor) {
    std::uint64_t key = tensor.set;
    for (const Element& element : tensor.values)
      key = mixed(mixed(key, element.p), element.lost ? 0 : element.q);
    return key;
  }
  static bool equal_tensors(const Tensor& a, const Tensor& b) {
    return a.set == b.set &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same);
  }
  // Forms by number, and what was asked of them before: a form is worked out once in a search.
  int number(Form form) {
    const auto [at, is_new] = numbers_.try_emplace(form, static_cast<int>(forms_.size()));
    if (is_new) forms_.push_back(std::move(form)), useful_.push_back(-1);
    return at->second;
  }
  int form_number(const Node& node) {
    const int a = of_[static_cast<std::size_t>(node.a)],
              b = node.b < 0 ? -1 : of_[static_cast<std::size_t>(node.b)];
    const auto [at, is_new] = made_.try_emplace({node.op, a, b, node.over}, -1);
    if (is_new)
      at->second = number(::form_of(node, forms_[static_cast<std::size_t>(a)],
                                    forms_[static_cast<std::size_t>(std::max(b, 0))], atoms_));
    return at->second;
  }
  bool useful_form(int form) {
    if (!prune) return true;
    signed char& known = useful_[static_cast<std::size_t>(form)];
    if (known < 0) known = ::useful(forms_[static_cast<std::size_t>(form)], goal_, atoms_) ? 1 : 0;
    return known == 1;
  }

  const Program& program_;
  int limit_, draws_;
  Atoms atoms_;
  Form goal_;
  std::set<Op> ops_;
  Tensor wanted_;
  Graph graph_;
  std::vector<int> of_;  ///< each node's form
  std::vector<Tensor> values_;
  std::multiset<std::uint64_t> seen_;
  std::vector<Form> forms_;
  std::vector<signed char> useful_;
  std::map<Form, int> numbers_;
  std::map<std::tuple<Op, int, int, int>, int> made_;
};

}  // namespace graphs
