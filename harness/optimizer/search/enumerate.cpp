#include "optimizer/search/enumerate.h"

#include <algorithm>
#include <bit>

#include "optimizer/graph/order.h"

namespace workbook::opt {
namespace {

Node with_operands(Node form, int larger, int smaller) {
  const bool turned = form.a < form.b;  // the smaller operand stands first
  form.a = static_cast<std::int8_t>(turned ? smaller : larger);
  form.b = static_cast<std::int8_t>(turned ? larger : smaller);
  return form;
}

/// A difference or quotient of a tensor and itself is a constant, its maximum the tensor.
bool with_itself(const Node& form) { return form.op == Op::add || form.op == Op::mul; }

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  states += other.states;
  tried += other.tried;
  for (std::size_t i = 0; i < cut.size(); ++i) cut[i] += other.cut[i];
  return *this;
}

Enumerator::Enumerator(const Space& space)
    : space_(space),
      output_set_(space.program.output_set()),
      evaluator_(space.field, space.program.graph, space.extents, space.draw) {
  steps_.resize(kMaxNodes);
  renew_forms();
  same_ = static_cast<std::size_t>(std::count_if(space.binary.begin(), space.binary.end(), with_itself));
}

/// Numbers of forms are those of the steps, too.
void Enumerator::renew_forms() {
  forms_.emplace(space_.program.graph);
  goals_.clear();
  for (const Graph* goal : space_.goals)
    goals_.push_back(forms_->forms_of(*goal)[static_cast<std::size_t>(goal->output())]);
  for (std::size_t i = 0; i < size_; ++i) {
    const Node& node = steps_[i].node;
    steps_[i].form =
        node.op == Op::input
            ? forms_->input(node.a)
            : forms_->apply(node, steps_[static_cast<std::size_t>(node.a)].form,
                            node.b < 0 ? kNoForm : steps_[static_cast<std::size_t>(node.b)].form);
  }
}

void Enumerator::begin() {
  size_ = space_.inputs.size();
  for (std::size_t i = 0; i < size_; ++i) {
    steps_[i].node = {Op::input, static_cast<std::int8_t>(i), -1, -1, 0};
    steps_[i].form = forms_->input(static_cast<int>(i));
    steps_[i].values = space_.inputs[i];
    steps_[i].print = fingerprint(steps_[i].values);
  }
  used_.assign(1, {0, space_.needed});
}

bool Enumerator::useful(const Node& node, FormId form) {
  const bool positive = node.op == Op::sub && forms_->is_difference(form);
  for (const FormId goal : goals_)
    if (forms_->useful(form, goal, positive)) return true;
  return false;
}

/// The inputs in all loose tensors, the new one among them, are at most those of a goal.
bool Enumerator::fits(std::uint64_t loose, FormId form) {
  Occurrences all_counts = forms_->occurrences(form);
  for (std::uint64_t rest = loose; rest != 0; rest &= rest - 1) {
    const Occurrences& other =
        forms_->occurrences(steps_[static_cast<std::size_t>(std::countr_zero(rest))].form);
    for (std::size_t i = 0; i < space_.inputs.size(); ++i)
      all_counts[i] = static_cast<std::uint16_t>(all_counts[i] + other[i]);
  }
  for (const FormId goal : goals_) {
    const Occurrences& most = forms_->occurrences(goal);
    bool all = true;
    for (std::size_t i = 0; i < space_.inputs.size() && all; ++i) all = all_counts[i] <= most[i];
    if (all) return true;
  }
  return false;
}

/// A sum of a product of tensors with different indices: the matrix product is the same in a node less.
bool Enumerator::is_product_apart(const Node& node) const {
  if (node.op != Op::sum) return false;
  const Node& product = steps_[static_cast<std::size_t>(node.a)].node;
  if (product.op != Op::mul) return false;
  const IndexSet a = steps_[static_cast<std::size_t>(product.a)].values.set;
  const IndexSet b = steps_[static_cast<std::size_t>(product.b)].values.set;
  return a != b && has(a, node.over) && has(b, node.over);
}

Enumerator::Push Enumerator::push(Node node, int limit, PruneReason& reason) {
  const auto cut = [&](PruneReason why) {
    reason = why;
    return Push::cut;
  };
  if (forms_->held() > most_held) renew_forms();
  const Step& a = steps_[static_cast<std::size_t>(node.a)];
  const Step* b = node.b < 0 ? nullptr : &steps_[static_cast<std::size_t>(node.b)];
  const auto shape = shape_of(node, a.values.set, b != nullptr ? b->values.set : IndexSet{0}, output_set_);
  if (!shape || is_product_apart(node)) return cut(PruneReason::shape);

  const std::uint64_t operands = 1ull << node.a | (b != nullptr ? 1ull << node.b : 0);
  const std::uint64_t loose = used_.back().loose & ~operands, unused = used_.back().unused & ~operands;
  const int left = limit - static_cast<int>(size_ + 1 - space_.inputs.size());
  if (std::popcount(loose) + std::popcount(unused) > left) return cut(PruneReason::loose);

  const FormId form = forms_->apply(node, a.form, b != nullptr ? b->form : kNoForm);
  if (!useful(node, form)) return cut(PruneReason::expression);
  if (!fits(loose, form)) return cut(PruneReason::loose);

  Step& step = steps_[size_];
  step.node = node;
  step.form = form;
  evaluator_.apply(node, *shape, a.values, b != nullptr ? &b->values : nullptr, step.values);
  step.print = fingerprint(step.values);
  for (std::size_t i = 0; i < size_; ++i)
    if (steps_[i].print == step.print) return cut(PruneReason::duplicate);
  const bool whole = loose == 0 && unused == 0;
  if (step.print == space_.target && !whole)
    return cut(PruneReason::loose);  // what is loose could not be joined any more
  used_.push_back({loose | 1ull << size_, unused});
  ++size_;
  return step.print == space_.target ? Push::equal : Push::kept;
}

void Enumerator::pop() {
  --size_;
  used_.pop_back();
}

void Enumerator::note(std::size_t place, PruneReason cut, std::size_t times) {
  counts.cut[static_cast<std::size_t>(cut)] += times;
  if (keep_tree && place < tree.size())
    tree[place].cut[static_cast<std::size_t>(cut)] += static_cast<std::uint32_t>(times);
}

void Enumerator::run(const std::vector<Node>& prefix, int limit, int stop_at, const std::atomic<bool>& stop) {
  begin();
  PruneReason reason{};
  for (const Node& node : prefix)
    if (push(node, limit, reason) == Push::cut) return;
  if (prefix.empty()) ++counts.states;
  children(limit, stop_at, stop);
}

std::vector<Node> Enumerator::path() const {
  std::vector<Node> nodes;
  for (std::size_t i = space_.inputs.size(); i < size_; ++i) nodes.push_back(steps_[i].node);
  return nodes;
}

/// One state in `tree_one_in`, whichever thread comes by: by a hash of its nodes.
bool Enumerator::sampled() const {
  std::uint64_t hash = 0;
  for (std::size_t i = space_.inputs.size(); i < size_; ++i) hash = mixed(hash, order_key(steps_[i].node));
  return hash % tree_one_in == 0;
}

void Enumerator::children(int limit, int stop_at, const std::atomic<bool>& stop) {
  const std::size_t inputs = space_.inputs.size();
  if (stop.load(std::memory_order_relaxed) || static_cast<int>(size_ - inputs) >= limit) return;
  // The place of this state in the tree, or beyond its end.
  std::size_t place = ~std::size_t{0};
  if (keep_tree && (static_cast<int>(size_ - inputs) <= kWholeDepth || sampled())) {
    place = tree.size();
    tree.push_back({path(), {}, 0, false});
  }
  const std::uint64_t last = size_ == inputs ? 0 : order_key(steps_[size_ - 1].node);
  const auto visit = [&](const Node& node) {
    if (order_key(node) <= last) {
      note(place, PruneReason::order);
      return;
    }
    ++counts.tried;
    PruneReason reason{};
    const Push pushed = push(node, limit, reason);
    if (pushed == Push::cut) {
      note(place, reason);
      return;
    }
    ++counts.states;
    if (place < tree.size()) ++tree[place].kept;
    const int depth = static_cast<int>(size_ - inputs);
    if (pushed == Push::equal) {
      if (keep_tree) tree.push_back({path(), {}, 0, true});
      if (depth == limit) found.push_back(path());
    } else if (depth == stop_at) {
      prefixes.push_back(path());
    } else {
      children(limit, stop_at, stop);
    }
    pop();
  };
  // What uses nothing as new as the last node did is cut by order, counted without being looked at.
  const int first = size_ == inputs ? 0 : std::max<int>(steps_[size_ - 1].node.a, steps_[size_ - 1].node.b);
  for (int larger = 0; larger < first; ++larger)
    note(place, PruneReason::order,
         space_.unary.size() + static_cast<std::size_t>(larger) * space_.binary.size() + same_);
  for (int larger = first; larger < static_cast<int>(size_); ++larger) {
    for (const Node& form : space_.unary) {
      Node node = form;
      node.a = static_cast<std::int8_t>(larger);
      visit(node);
    }
    for (int smaller = 0; smaller <= larger; ++smaller)
      for (const Node& form : space_.binary) {
        if (smaller == larger && !with_itself(form)) continue;
        visit(with_operands(form, larger, smaller));
      }
  }
}

Enumerator::Judged Enumerator::judge(const std::vector<Node>& nodes, int limit) {
  begin();
  Judged judged;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0 && order_key(nodes[i]) <= order_key(nodes[i - 1]))
      return {static_cast<int>(i), PruneReason::order, false};
    const Push pushed = push(nodes[i], limit, judged.cut);
    if (pushed == Push::cut) {
      judged.node = static_cast<int>(i);
      return judged;
    }
    judged.equal = pushed == Push::equal;
    if (judged.equal && i + 1 < nodes.size()) return {static_cast<int>(i) + 1, PruneReason::duplicate, false};
  }
  return judged;
}

}  // namespace workbook::opt
