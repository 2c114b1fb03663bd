// What of a launch is what of path tensor_attention, or why nothing is.
#include "optimizer/forms/attention/shape.h"

#include <algorithm>

#include "optimizer/graph/ranges.h"
#include "optimizer/launch/finder.h"
#include "optimizer/plan/halves.h"

namespace workbook::opt {
namespace {

class AttentionFinder : public LaunchFinder {
 public:
  /// `kept`: the one index that rows have where they lie in no order together, or -1: the others are as the
  /// batch's.
  AttentionFinder(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                  int kept)
      : LaunchFinder(program, plan, launch, kernel), kept_(kept) {}

  std::optional<AttentionShape> run() {
    if (launch_.running < 0 || launch_.sweeps != 1 || !find_weights() || !find_indices()) return std::nullopt;
    for (const int number : node_list(kernel_.nodes))
      if (number != launch_.running && number != shape_.shifted && number != shape_.exponent &&
          !listed(shape_.masked, number) && !place(number))
        return std::nullopt;
    if (!find_score() || !reads_are_known() || !writes_are_known() || !order_rows()) return std::nullopt;
    for (AttentionShape::Staged& each : shape_.staged) each.in_rows = lies_in_rows(each.node);
    find_hidden(node(launch_.running).a);
    hide_by_factors();
    find_folded();
    for (const AttentionShape::Product& product : shape_.products)
      if (tensor_type(program_, plan_) == Storage::f16 && shape_.rounds(program_, plan_, product) &&
          !fits_half(graph_, product.left))
        return std::nullopt;
    return shape_;
  }
  std::optional<AttentionShape> run_with_tiles() {
    const auto found = run();
    return found && shape_.set_tiles(graph_, launch_, kernel_, shapes_) ? std::optional(shape_)
                                                                        : std::nullopt;
  }

 private:
  int stage(int number) const { return launch_.stages[slot(number)]; }
  /// Of the rows, one number each.
  IndexSet row_set() const { return static_cast<IndexSet>(batch_ | row_indices_); }
  IndexSet key_set() const { return static_cast<IndexSet>(batch_ | only(shape_.key)); }
  bool is_row(int number) const { return within(set(number), row_set()); }
  bool is_key(int number) const { return within(set(number), key_set()) && has(set(number), shape_.key); }
  static void add(std::vector<int>& list, int number) {
    if (!listed(list, number)) list.push_back(number);
  }

  /// exp(u - max u), and what is multiplied by it.
  bool find_weights() {
    shape_.key = launch_.loop;
    const int most = launch_.running, of = node(most).a;
    for (const int number : node_list(kernel_.nodes)) {
      const Node& op = node(number);
      if (op.op == Op::sub && op.a == of && op.b == most) {
        if (shape_.shifted >= 0) return false;
        shape_.shifted = number;
      } else if (op.op == Op::exp && op.a == shape_.shifted) {
        if (shape_.exponent >= 0) return false;
        shape_.exponent = shape_.weight = number;
      } else if (op.op == Op::mul && shape_.weight >= 0 && shape_.product < 0 &&
                 (op.a == shape_.weight || op.b == shape_.weight)) {
        const int pair = op.a == shape_.weight ? op.b : op.a;
        if (computed(pair) || is_constant(plan_, pair) || !within(set(pair), set(shape_.weight)))
          return false;
        add(shape_.pairs, pair);
        shape_.masked.push_back(number);
        shape_.weight = number;
      } else if (op.op == Op::matmul && op.over == shape_.key) {
        const auto both = static_cast<IndexSet>(set(op.a) | set(op.b));
        if (shape_.exponent >= 0 && within(both, set(shape_.exponent))) continue;  // a sum: place() looks
        if (shape_.product >= 0 || shape_.weight < 0) return false;
        shape_.product = number;
        shape_.values = op.a == shape_.weight ? op.b : op.a;
        if (op.a != shape_.weight && op.b != shape_.weight) return false;
      }
    }
    return shape_.product >= 0 && (shape_.masked.empty() || tensor_type(program_, plan_) != Storage::f16 ||
                                   fits_half(graph_, shape_.weight));
  }

  /// The rows' index is the one that the values lack.
  bool find_indices() {
    if (!is_matrix(shape_.values)) return false;
    const IndexSet weights = set(shape_.weight), values = set(shape_.values);
    const std::vector<int> columns = members(static_cast<IndexSet>(values & ~weights));
    if (columns.size() != 1) return false;
    shape_.column = columns.front();
    std::vector<int> rows;
    for (const int index : members(weights)) {
      if (index == shape_.key) continue;
      if (has(values, index) || (kept_ >= 0 && index != kept_)) {
        shape_.batch.push_back(index);
        batch_ |= only(index);
      } else {
        rows.push_back(index);
        row_indices_ |= only(index);
      }
    }
    shape_.row_indices = rows;
    shape_.tiles.push_back(shape_.values);
    return !rows.empty() && has(weights, shape_.key) && lies_along(shape_.values, shape_.column) &&
           within(values, static_cast<IndexSet>(key_set() | only(shape_.column)));
  }
  /// Its contiguous index is that of the keys, or this one.
  bool lies_along(int matrix, int depth) const {
    const int last = graph_.inputs[slot(matrix)].dims.back();
    return last == shape_.key || last == depth;
  }
  /// An input of half that has keys.
  bool is_matrix(int number) const {
    if (slot(number) >= graph_.inputs.size() || is_constant(plan_, number)) return false;
    const Tensor& tensor = graph_.inputs[slot(number)];
    return tensor.storage == tensor_type(program_, plan_) && tensor.view_of < 0 && tensor.dims.size() >= 2 &&
           has(set(number), shape_.key);
  }

  bool place(int number) {
    const Node& op = node(number);
    if (number == shape_.product) return true;
    if (op.over == shape_.key) {
      shape_.sums.push_back(number);
      return sums_weights(op);
    }
    switch (stage(number)) {
      case kBefore:
        return place_before(number);
      case kSweep:
        if (op.op == Op::matmul) return place_product(number);
        if ((set(number) & row_indices_) != 0) return place_scaled(number);
        return place_key(number);
      case kBehind:
        return place_behind(number);
      default:
        return false;
    }
  }

  /// As it is, or as a product of what the weight is a product of.
  bool sums_weights(const Node& op) const {
    if (op.op == Op::sum) return op.a == shape_.weight;
    const Node& weight = node(shape_.weight);
    return op.op == Op::matmul && weight.op == Op::mul &&
           std::minmax(int{op.a}, int{op.b}) == std::minmax(int{weight.a}, int{weight.b});
  }

  /// Zeros stand for what is outside: [row, depth] is made by operations that keep them.
  bool place_before(int number) {
    const Node& op = node(number);
    shape_.before.push_back(number);
    if (op.op == Op::sum) return is_row(number) && is_row_element(op.a);
    if (op.over >= 0) return false;
    if (is_row(number)) return all_operands(op, [&](int of) { return is_row(of); });
    return is_row_element(number) && (op.op == Op::mul || (op.op == Op::div && is_row(op.b))) &&
           all_operands(op, [&](int of) { return is_row(of) || is_row_element(of); });
  }
  /// Has one index besides those of the rows.
  bool is_row_element(int number) const {
    const auto more = members(static_cast<IndexSet>(set(number) & ~row_set()));
    return more.size() == 1 && more.front() != shape_.key;
  }
  template <class Test>
  bool all_operands(const Node& op, Test test) const {
    for (const int of : operands_of(op))
      if (!is_constant(plan_, of) && !test(of)) return false;
    return true;
  }

  bool place_product(int number) {
    const Node& op = node(number);
    if (set(number) != set(shape_.weight)) return false;
    for (const auto& [left, right] : {std::pair{int{op.a}, int{op.b}}, std::pair{int{op.b}, int{op.a}}}) {
      if (!is_matrix(right) || !lies_along(right, op.over)) continue;
      if (!within(set(right), static_cast<IndexSet>(key_set() | only(op.over)))) continue;
      if (!is_row_element(left) || (set(left) & row_indices_) != row_indices_) continue;
      if (computed(left) && stage(left) != kBefore) continue;
      shape_.products.push_back({number, left, right, op.over});
      add(shape_.tiles, right);
      return true;
    }
    return false;
  }
  bool place_scaled(int number) {
    shape_.scaled.push_back(number);
    return node(number).over < 0 && set(number) == set(shape_.weight);
  }
  bool place_key(int number) {
    const Node& op = node(number);
    const bool is_value = is_key(number);
    if (op.op == Op::sum) {
      shape_.key_sums.push_back(number);
      return is_value && is_key_element(op.a);
    }
    if (op.over >= 0) return false;
    if (!is_value) {
      shape_.key_elements.push_back(number);
      return op.op == Op::mul && all_operands(op, [&](int of) { return is_key_element(of); });
    }
    shape_.key_values.push_back(number);
    return all_operands(op,
                        [&](int of) { return listed(shape_.key_sums, of) || listed(shape_.key_values, of); });
  }
  /// Of the one matrix whose keys have statistics.
  bool is_key_element(int number) {
    if (listed(shape_.key_elements, number)) return true;
    if (!is_matrix(number) || !shape_.in_one_piece(graph_, number)) return false;
    if (shape_.key_matrix >= 0 && shape_.key_matrix != number) return false;
    shape_.key_matrix = number;
    return true;
  }
  bool place_behind(int number) {
    const Node& op = node(number);
    shape_.behind.push_back(number);
    const auto all = static_cast<IndexSet>(row_set() | only(shape_.column));
    return op.over < 0 && within(set(number), all) && all_operands(op, [&](int of) {
             if (!computed(of)) return within(set(of), all);
             return of == shape_.product || of == launch_.running || listed(shape_.sums, of) ||
                    listed(shape_.behind, of) || (shape_.is_before(of) && is_row(of));
           });
  }

  /// The products are one tile: they are added up, and nothing else is made of each.
  bool find_score() {
    if (shape_.products.empty()) return false;
    std::vector<int> parts, chain;
    for (const auto& product : shape_.products) parts.push_back(product.node);
    for (const int number : shape_.scaled) {
      const Node& op = node(number);
      if (op.op != Op::add || op.a == op.b || !listed(parts, op.a) || !listed(parts, op.b)) continue;
      chain.push_back(number);
      parts.push_back(number);
      std::erase_if(parts, [&](int part) { return part == op.a || part == op.b; });
    }
    if (parts.size() != 1) return false;
    shape_.score = parts.front();
    std::erase_if(shape_.scaled, [&](int number) { return listed(chain, number); });
    const auto known = [&](int of) {
      if ((set(of) & row_indices_) != 0 && has(set(of), shape_.key))
        return of == shape_.score || listed(shape_.scaled, of) || listed(shape_.pairs, of);
      if (has(set(of), shape_.key) && listed(shape_.pairs, of)) return true;
      return is_row(of) ? !computed(of) || shape_.is_before(of)
                        : listed(shape_.key_sums, of) || listed(shape_.key_values, of);
    };
    for (const int number : shape_.scaled)
      for (const int of : operands_of(node(number)))
        if (!computed(of) && !is_constant(plan_, of) && has(set(of), shape_.key) &&
            launch_.parts[slot(of)].launch < 0)
          add(shape_.pairs, of);
    for (const int number : shape_.scaled)
      if (!all_operands(node(number), known)) return false;
    const int of = node(launch_.running).a;
    if (of != shape_.score && !listed(shape_.scaled, of)) return false;
    if (shape_.key_matrix < 0) return true;
    // The statistics are taken of a tile that is there anyway.
    add(shape_.tiles, shape_.key_matrix);
    return true;
  }

  /// Masks on places in the sum that is weighed: turns of keys of which nothing is seen are left out.
  void find_hidden(int of) {
    if (is_placed(plan_, of) && graph_.inputs[slot(of)].placed.hides) add(shape_.hidden, of);
    if (!listed(shape_.scaled, of) || node(of).op != Op::add) return;
    find_hidden(node(of).a);
    find_hidden(node(of).b);
  }
  /// Factors on places, which are 0 for the others' weights. The maximum is that of the keys that are left
  /// then: whatever is subtracted from all scores, the quotients stay.
  void hide_by_factors() {
    if (is_wanted(launch_.running)) return;
    for (const int number : shape_.masked)
      for (const int of : operands_of(node(number)))
        if (is_placed(plan_, of) && graph_.inputs[slot(of)].placed.is_condition()) add(shape_.hidden, of);
  }
  /// Scores that are multiplied by numbers between 0 and 1, and hidden or not: exp(score * factor - most) has
  /// the factor, and the maximum is of scores without it, where nobody else wants that.
  void find_folded() {
    std::vector<int> factors;
    const Extents real = real_extents(graph_);
    Extents ones{};
    ones.fill(1);  // a kernel is called with other sizes, too
    double product = 1.0, of_ones = 1.0;
    for (const int number : shape_.scaled) {
      const Node& op = node(number);
      if (op.op == Op::add && (listed(shape_.hidden, op.a) || listed(shape_.hidden, op.b))) continue;
      const int factor = op.op == Op::mul && is_constant(plan_, op.a) ? op.a : op.b;
      if ((op.op != Op::mul && op.op != Op::div) || !is_constant(plan_, factor)) return;
      const Constant& constant = graph_.constants[slot(graph_.inputs[slot(factor)].constant)];
      const auto times = [&](double value) { return op.op == Op::div ? 1.0 / value : value; };
      product *= times(value_of(constant, real));
      of_ones *= times(value_of(constant, ones));
      factors.push_back(number);
    }
    const auto is_fraction = [](double factor) { return factor > 0.0 && factor <= 1.0; };
    if (!is_wanted(launch_.running) && is_fraction(product) && is_fraction(of_ones)) shape_.folded = factors;
  }
  /// The maximum itself, by whoever comes behind the loop.
  bool is_wanted(int most) const {
    return graph_.is_output(most) || listed(launch_.writes, most) ||
           std::any_of(shape_.behind.begin(), shape_.behind.end(),
                       [&](int user) { return listed(operands_of(node(user)), most); });
  }
  bool lies_in_rows(int number) const {
    const std::vector<std::uint8_t> dims = dims_of(program_, plan_, number, shapes_);
    const auto rows = static_cast<std::ptrdiff_t>(shape_.row_indices.size());
    return static_cast<std::ptrdiff_t>(dims.size()) > rows &&
           std::equal(shape_.row_indices.begin(), shape_.row_indices.end(), dims.end() - 1 - rows);
  }
  bool lies_in_one(int number) const {
    return launch_.parts[slot(number)].launch < 0 && is_stored(plan_, number) && !is_made(plan_, number);
  }
  /// Rows of halves that nobody else needs before the loop.
  bool lies_as_rows(const AttentionShape::Product& of) const {
    if (computed(of.left) || !lies_in_one(of.left) || shape_.rounds(program_, plan_, of)) return false;
    const bool used = std::any_of(shape_.before.begin(), shape_.before.end(),
                                  [&](int user) { return listed(operands_of(node(user)), of.left); });
    return !used && dims_of(program_, plan_, of.left, shapes_).back() == of.depth;
  }

  /// What is read from global memory, and where.
  bool reads_are_known() {
    for (const auto& product : shape_.products)
      if (!computed(product.left)) add(shape_.before_reads, product.left);
    const auto note = [&](const std::vector<int>& users, std::vector<int>& reads) {
      for (const int number : users)
        for (const int of : operands_of(node(number)))
          if (!computed(of) && !is_constant(plan_, of) && !listed(shape_.tiles, of) &&
              !listed(shape_.pairs, of))
            add(reads, of);
    };
    note(shape_.before, shape_.before_reads);
    note(shape_.scaled, shape_.before_reads);
    note(shape_.behind, shape_.behind_reads);
    for (const auto& product : shape_.products)
      if (lies_as_rows(product)) add(shape_.copied, product.left);
    for (const int number : shape_.pairs)
      if ((set(number) & row_indices_) != 0 && lies_in_one(number) &&
          dims_of(program_, plan_, number, shapes_).back() == shape_.key)
        shape_.staged.push_back(
            {number, static_cast<int>(item_bytes(storage_of(program_, plan_, number))), false});
    for (const int number : shape_.before_reads)
      if (!is_row(number) && !is_row_element(number)) return false;
    return true;
  }
  /// Several indices of a row lie side by side, in the same order, in all that has more than one of them.
  bool order_rows() {
    if (shape_.row_indices.size() == 1) return true;
    std::vector<int> tensors = launch_.writes;
    for (const auto& product : shape_.products)
      if (!computed(product.left)) tensors.push_back(product.left);
    std::vector<int> order;
    for (const int number : tensors) {
      const std::vector<std::uint8_t> dims = dims_of(program_, plan_, number, shapes_);
      std::vector<int> own;
      std::size_t last = 0;
      for (std::size_t dim = 0; dim < dims.size(); ++dim) {
        if (!has(row_indices_, dims[dim])) continue;
        if (!own.empty() && dim != last + 1) return false;
        own.push_back(dims[dim]);
        last = dim;
      }
      if (order.empty()) order = own;
      if (own != order) return false;
    }
    if (order.size() != shape_.row_indices.size()) return false;
    shape_.row_indices = order;
    return true;
  }
  bool writes_are_known() const {
    for (const int number : launch_.writes) {
      const bool summed =
          number == shape_.product || number == launch_.running || listed(shape_.sums, number);
      if (!summed && !listed(shape_.behind, number)) return false;
      const IndexSet own = set(number);
      if (own != row_set() && own != (row_set() | only(shape_.column))) return false;
    }
    return true;
  }

  int kept_;
  IndexSet batch_ = 0, row_indices_ = 0;
  AttentionShape shape_;
};

/// Rows of several indices, as grouped queries have them, where they lie side by side; else of the longest.
template <class Run>
std::optional<AttentionShape> found(const Program& program, const Plan& plan, const Launch& launch,
                                    const Kernel& kernel, Run run) {
  if (auto shape = run(AttentionFinder(program, plan, launch, kernel, -1))) return shape;
  if (launch.running < 0) return std::nullopt;
  const std::vector<IndexSet> shapes = shapes_of(plan.graph, program.output_set());
  std::vector<int> indices = members(shapes[slot(plan.graph.nodes[slot(launch.running)].a)]);
  const Extents extents = real_extents(plan.graph);
  std::stable_sort(indices.begin(), indices.end(),
                   [&](int a, int b) { return extents[slot(a)] > extents[slot(b)]; });
  for (const int index : indices)
    if (index != launch.loop)
      if (auto shape = run(AttentionFinder(program, plan, launch, kernel, index))) return shape;
  return std::nullopt;
}

}  // namespace

std::optional<AttentionShape> attention_shape(const Program& program, const Plan& plan, const Launch& launch,
                                              const Kernel& kernel) {
  return found(program, plan, launch, kernel, [](AttentionFinder finder) { return finder.run_with_tiles(); });
}
std::optional<AttentionShape> attention_indices(const Program& program, const Plan& plan,
                                                const Launch& launch, const Kernel& kernel) {
  return found(program, plan, launch, kernel, [](AttentionFinder finder) { return finder.run(); });
}

}  // namespace workbook::opt
