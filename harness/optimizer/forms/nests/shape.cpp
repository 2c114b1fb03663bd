#include "optimizer/forms/nests/shape.h"

#include <algorithm>

namespace workbook::opt {
namespace {

constexpr std::int64_t kMostSums = 128;   ///< of products, that a thread keeps
constexpr std::int64_t kLeastLanes = 16;  ///< that lie side by side, where a thread takes several columns

class Nester {
 public:
  Nester(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel)
      : program_(program),
        plan_(plan),
        graph_(plan.graph),
        launch_(launch),
        kernel_(kernel),
        shapes_(shapes_of(plan.graph, program.output_set())) {
    const std::size_t size = graph_.nodes.size();
    result_.layout.resize(size);
    result_.in_registers.assign(size, false);
    result_.is_shared.assign(size, false);
    result_.column.assign(size, -1);
    result_.columns.assign(size, 0);
  }

  Nested run() {
    for (int stage = kBefore; stage <= kLast; ++stage) {
      if (stage % 2 == 1 && stage / 2 >= launch_.sweeps) continue;
      add_stage(stage);
    }
    std::stable_sort(result_.nests.begin(), result_.nests.end(), [](const Nest& a, const Nest& b) {
      return std::pair(a.stage, a.level) < std::pair(b.stage, b.level);
    });
    settle();
    if (launch_.rescaled != 0) result_.rescale = launch_.running;
    return std::move(result_);
  }

 private:
  const Node& node(int number) const { return graph_.nodes[slot(number)]; }
  bool computed(int number) const { return (kernel_.nodes & node_bit(number)) != 0; }
  bool inside(int number) const { return launch_.loop >= 0 && has(shapes_[slot(number)], launch_.loop); }
  /// A loop's sum, which is there behind it; a running maximum is there in each turn.
  bool adds_up(int number) const { return launch_.accumulates(graph_, number) && number != launch_.running; }
  static bool reduces(const Node& op) { return op.over >= 0; }
  std::vector<int> operands(int number) const { return operands_of(node(number)); }
  /// When the value is computed, in the stage at work: those of the loop again in each sweep that needs them.
  bool is_target(int number, int stage) const {
    const int own = launch_.stages[slot(number)];
    return own == (adds_up(number) ? stage + 1 : stage);
  }

  void add_stage(int stage) {
    std::uint64_t wanted = 0;
    const std::vector<int> nodes = node_list(kernel_.nodes);
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
      if (is_target(*at, stage)) wanted |= node_bit(*at);
      if ((wanted & node_bit(*at)) == 0) continue;
      for (const int operand : operands(*at))
        if (computed(operand) && stage % 2 == 1 && inside(operand)) wanted |= node_bit(operand);
    }
    std::vector<int> levels(graph_.nodes.size(), -1);
    for (const int number : nodes) {
      if ((wanted & node_bit(number)) == 0) continue;
      const Node& op = node(number);
      // Alone: a sum, a product. What reads from another nest waits for a barrier.
      int level = reduces(op) ? 1 : 0;
      for (const int operand : operands(number)) {
        const int of = levels[slot(operand)];
        if (of < 0) continue;
        const bool same =
            !reduces(op) && !reduces(node(operand)) && shapes_[slot(operand)] == shapes_[slot(number)];
        level = std::max(level, same ? of : of + 1);
      }
      levels[slot(number)] = level;
    }
    for (const int number : nodes)
      if (levels[slot(number)] >= 0 && folded_from(number) < 0) place(number, stage, levels[slot(number)]);
  }
  /// Of what is elementwise in one tensor, and nothing but sums read: that tensor, else -1. It needs no tile.
  int folded_from(int number) const {
    if (reduces(node(number)) || listed(launch_.writes, number)) return -1;
    int from = -1;
    for (const int operand : operands(number)) {
      if (is_constant(plan_, operand)) continue;
      if (from >= 0 || shapes_[slot(operand)] != shapes_[slot(number)]) return -1;
      if (node(operand).op == Op::matmul || folded_from_or_none(operand)) return -1;
      from = operand;
    }
    for (const int user : node_list(kernel_.nodes))
      if (listed(operands(user), number) && (!reduces(node(user)) || node(user).op == Op::matmul)) return -1;
    return from;
  }
  bool folded_from_or_none(int number) const { return computed(number) && folded_from(number) >= 0; }

  Nest& nest_of(Nest::Kind kind, int stage, int level, IndexSet set) {
    for (Nest& nest : result_.nests)
      if (kind == Nest::group && nest.kind == kind && nest.stage == stage && nest.level == level &&
          set_of(nest) == set)
        return nest;
    Nest nest{kind, stage, level, {}, {}, {}, -1, {}, {}};
    for (const int index : members(set)) nest.order.push_back(static_cast<std::uint8_t>(index));
    result_.nests.push_back(nest);
    return result_.nests.back();
  }
  static IndexSet set_of(const Nest& nest) {
    IndexSet set = 0;
    for (const std::uint8_t index : nest.order) set |= only(index);
    return set;
  }

  void place(int number, int stage, int level) {
    const Node& op = node(number);
    const IndexSet set = shapes_[slot(number)];
    if (reduces(op)) {
      const int folded = computed(op.a) && folded_from(op.a) >= 0 ? int{op.a} : -1;
      for (const int operand : folded >= 0 ? std::vector<int>{folded_from(folded)} : operands(number))
        if (!computed(operand)) stage_load(operand, stage);
      const auto kind = op.op == Op::matmul ? Nest::product : Nest::sum;
      Nest& nest = nest_of(kind, stage, level, set);
      nest.nodes.push_back(number);
      nest.folded = folded;
      return;
    }
    Nest& nest = nest_of(Nest::group, stage, level, set);
    for (const int operand : operands(number))
      if (!computed(operand) && !is_constant(plan_, operand) && !listed(nest.loads, operand))
        nest.loads.push_back(operand);
    nest.nodes.push_back(number);
  }
  /// An operand of a sum or product from global memory: its tile is fetched by a group at the stage's start,
  /// before the loop where it is the same in every turn.
  void stage_load(int number, int stage) {
    if (stage == kSweep && !inside(number)) stage = kBefore;
    Nest& nest = nest_of(Nest::group, stage, 0, shapes_[slot(number)]);
    if (!listed(nest.loads, number)) nest.loads.push_back(number);
    if (!listed(nest.stages_shared, number)) nest.stages_shared.push_back(number);
  }

  /// Who reads what from another nest, hence what lies in shared memory; stores; orders of indices.
  void settle() {
    for (Nest& nest : result_.nests)
      if (nest.kind == Nest::product && (kernel_.path == Path::product || kernel_.path == Path::attention) &&
          fits_threads(nest) && drained(nest))
        result_.in_registers[slot(nest.nodes.front())] = true;
    for (Nest& nest : result_.nests) {
      for (const int number : nest.nodes) {
        if (listed(launch_.writes, number) &&
            launch_.stages[slot(number)] == nest.stage + (adds_up(number) ? 1 : 0))
          (reduces(node(number)) ? pending_ : nest.stores).push_back(number);
        if (read_elsewhere(nest, number)) nest.stages_shared.push_back(number);
      }
    }
    // A finished sum or product is stored by a group of its own, behind it.
    for (const int number : pending_) {
      const int stage = launch_.final_stage(number);
      int level = 1;
      for (const Nest& nest : result_.nests)
        if (nest.stage == stage && listed(nest.nodes, number)) level = nest.level + 1;
      Nest& nest = nest_of(Nest::group, stage, level, shapes_[slot(number)]);
      nest.stores.push_back(number);
      if (!result_.in_registers[slot(number)])
        for (Nest& from : result_.nests)
          if (listed(from.nodes, number) && !listed(from.stages_shared, number))
            from.stages_shared.push_back(number);
    }
    std::stable_sort(result_.nests.begin(), result_.nests.end(), [](const Nest& a, const Nest& b) {
      return std::pair(a.stage, a.level) < std::pair(b.stage, b.level);
    });
    for (Nest& nest : result_.nests) order(nest);
    for (Nest& nest : result_.nests) {
      if (nest.kind == Nest::product && result_.in_registers[slot(nest.nodes.front())]) {
        share_order(nest);
        find_column(nest);
      }
      for (const int number : nest.stages_shared) {
        result_.is_shared[slot(number)] = true;
        if (result_.layout[slot(number)].empty()) result_.layout[slot(number)] = nest.order;
      }
    }
  }
  bool read_elsewhere(const Nest& from, int number) const {
    if (result_.in_registers[slot(number)]) return false;
    for (const Nest& nest : result_.nests)
      if (&nest != &from)
        for (const int user : nest.nodes)
          if (listed(operands(nest.folded >= 0 ? nest.folded : user), number)) return true;
    return false;
  }
  /// As square a part of the tile as there is: so a thread reads least. 0: the tile does not divide.
  static int columns_of(std::int64_t threads, std::int64_t items, std::int64_t row) {
    int best = 0;
    for (std::int64_t columns = 1; columns <= std::min(items, row); ++columns) {
      if (items % columns != 0 || row % columns != 0 || threads % (row / columns) != 0) continue;
      if (best > 0 && (row / columns < kLeastLanes || columns + items / columns >= best + items / best))
        continue;
      best = static_cast<int>(columns);
    }
    return best;
  }
  bool touches(const Nest& nest, int number) const {
    if (nest.kind != Nest::group) return false;
    return listed(nest.stores, number) || std::any_of(nest.nodes.begin(), nest.nodes.end(), [&](int user) {
             return listed(operands(user), number);
           });
  }
  /// A thread's elements of a product in registers are the same to whoever reads them: one order, that of a
  /// group which writes, as long as its rows divide among the threads.
  void share_order(Nest& product) {
    const int number = product.nodes.front();
    const Extents tiles = tiles_of(kernel_, real_extents(graph_));
    std::int64_t items = 1;
    for (const std::uint8_t index : product.order) items *= tiles[index];
    items /= 32 * kernel_.warps;
    const auto fits = [&](const Nest& nest) {
      return touches(nest, number) && columns_of(32 * kernel_.warps, items, tiles[nest.order.back()]) > 0;
    };
    for (const bool writes : {false, true})
      for (const Nest& nest : result_.nests)
        if (fits(nest) && nest.stores.empty() != writes) product.order = nest.order;
    for (Nest& nest : result_.nests)
      if (touches(nest, number)) nest.order = product.order;
  }
  void find_column(const Nest& nest) {
    const int product = nest.nodes.front();
    const Node& op = node(product);
    const Extents tiles = tiles_of(kernel_, real_extents(graph_));
    const int last = nest.order.back();
    std::int64_t items = 1;
    for (const std::uint8_t index : nest.order) items *= tiles[index];
    items /= 32 * kernel_.warps;
    result_.columns[slot(product)] = columns_of(32 * kernel_.warps, items, tiles[slot(last)]);
    for (const auto& [operand, other] : {std::pair{op.a, op.b}, std::pair{op.b, op.a}}) {
      bool alike = has(shapes_[slot(operand)], last) && !has(shapes_[slot(other)], last);
      for (const int index : members(shapes_[slot(operand)]))
        alike = alike &&
                (index == op.over || index == last || (launch_.is_cut(index) && tiles[slot(index)] == 1));
      if (alike) result_.column[slot(product)] = operand;
    }
  }
  /// Only elementwise nodes over the same elements read the product.
  bool drained(const Nest& product) const {
    const int number = product.nodes.front();
    for (const Nest& nest : result_.nests)
      for (const int user : nest.nodes)
        if (listed(operands(user), number) &&
            (nest.kind != Nest::group || set_of(nest) != shapes_[slot(number)]))
          return false;
    return true;
  }
  /// Sums that a thread keeps: as many elements as threads, or a multiple; tiles known when it is compiled.
  bool fits_threads(const Nest& nest) const {
    if (nest.order.empty()) return false;
    std::int64_t elements = 1;
    const Extents extents = real_extents(graph_);
    for (const std::uint8_t index : nest.order) {
      if (!launch_.is_cut(index)) return false;
      elements *= tile_of(kernel_.cuts[index], extents[index]);
    }
    const std::int64_t threads = 32 * kernel_.warps;
    const std::uint8_t last = order_of(nest).back();
    return elements % threads == 0 && elements / threads <= kMostSums &&
           columns_of(threads, elements / threads, tile_of(kernel_.cuts[last], extents[last])) > 0;
  }

  void order(Nest& nest) const { nest.order = order_of(nest); }
  /// That of a tensor in global memory which the nest reads or writes whole, so that lanes lie side by side.
  std::vector<std::uint8_t> order_of(const Nest& nest) const {
    const auto of = [&](const std::vector<int>& numbers) -> std::vector<std::uint8_t> {
      for (const int number : numbers)
        if (shapes_[slot(number)] == set_of(nest)) return dims_of(program_, plan_, number, shapes_);
      return {};
    };
    if (auto found = of(nest.stores); !found.empty()) return found;
    if (auto found = of(nest.loads); !found.empty()) return found;
    for (int i = 0; i < static_cast<int>(plan_.graph.outputs.size()); ++i)
      if (set_of(nest) == shapes_[slot(plan_.graph.outputs[slot(i)])]) return program_.output(i).dims;
    return nest.order;
  }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const Launch& launch_;
  const Kernel& kernel_;
  std::vector<IndexSet> shapes_;
  std::vector<int> pending_;
  Nested result_;
};

}  // namespace

std::int64_t shared_stride(const std::vector<std::uint8_t>& layout, const Extents& tiles, int index) {
  std::int64_t stride = 1;
  for (std::size_t dim = layout.size(); dim-- > 0;) {
    if (layout[dim] == index) return stride;
    stride *= tiles[layout[dim]] + (dim + 1 == layout.size() && layout.size() > 1 ? 1 : 0);
  }
  return 0;
}

std::int64_t shared_elements(const std::vector<std::uint8_t>& layout, const Extents& tiles) {
  return layout.empty() ? 1 : shared_stride(layout, tiles, layout.front()) * tiles[layout.front()];
}

std::int64_t shared_bytes(const Nested& nested, const Extents& tiles) {
  std::int64_t bytes = 0;
  for (std::size_t node = 0; node < nested.layout.size(); ++node)
    if (nested.is_shared[node])
      bytes += 4 * shared_elements(nested.layout[node], tiles) *
               (static_cast<int>(node) == nested.rescale ? 2 : 1);
  return bytes;
}

Nested nests_of(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel) {
  return Nester(program, plan, launch, kernel).run();
}

}  // namespace workbook::opt
