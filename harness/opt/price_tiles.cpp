// Counters of paths plain, product and attention: one block's turns are walked, the others are alike.
#include <set>

#include "opt/price_counter.h"

namespace workbook::opt {
namespace {

class TileCounter final : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 private:
  void count() override {
    const Nested nested = nests_of(program_, plan_, launch_, kernel_);
    nested_ = &nested;
    const std::vector<int>& grid = launch_.axes;
    std::uint32_t* const axes[] = {&record_.grid.x, &record_.grid.y, &record_.grid.z};
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      const int index = grid[axis];
      const std::int64_t parts =
          divided(extents_[slot(index)], std::int64_t{tiles_[slot(index)]} * kernel_.cuts[slot(index)].loop);
      *axes[axis] = static_cast<std::uint32_t>(parts);
      blocks_ *= parts;
    }
    record_.shared_bytes = shared_bytes(nested, tiles_);
    std::int64_t turns = 1;
    if (launch_.loop >= 0) {
      turns = divided(extents_[slot(launch_.loop)], tiles_[slot(launch_.loop)]);
      turns = std::min<std::int64_t>(turns, kernel_.cuts[slot(launch_.loop)].loop);
    }
    barriers(nested, turns);
    for (int stage = kBefore; stage <= kLast; ++stage) {
      const std::int64_t times = stage % 2 == 1 ? turns : 1;
      const std::int64_t walked = std::min(times, kWalkedTurns);
      if (held_bytes_ > kL1Bytes) held_.clear();
      for (turn_ = 0; turn_ < walked; ++turn_) {
        weight_ = blocks_ * (turn_ + 1 < walked ? 1 : times - turn_);
        for (const Nest& nest : nested.nests)
          if (nest.stage == stage) count_nest(nest);
      }
    }
    for (const Nest& nest : nested.nests)
      if (nest.stage % 2 == 1)
        for (const int node : nest.nodes)
          if (launch_.accumulates(graph_, node) && nested.is_shared[slot(node)]) {
            weight_ = blocks_;
            shared(node, "shared store", elements_of(nest), [](std::int64_t i) { return i; });
          }
  }
  void barriers(const Nested& nested, std::int64_t turns) {
    for (int stage = kBefore; stage <= kLast; ++stage) {
      std::set<int> levels;
      bool later = false, clears = false;
      for (const Nest& nest : nested.nests) {
        if (nest.stage == stage) levels.insert(nest.level);
        later = later || nest.stage > stage;
        if (nest.stage == stage && stage % 2 == 1)
          for (const int node : nest.nodes)
            clears = clears || (launch_.accumulates(graph_, node) && !nested.in_registers[slot(node)]);
      }
      if (levels.empty()) continue;
      const auto between = static_cast<std::int64_t>(levels.size()) - 1;
      counters_->barriers += blocks_ * (stage % 2 == 1 ? turns * (between + 1) + (clears ? 1 : 0)
                                                       : between + (later && stage != kLast ? 1 : 0));
    }
  }

  std::int64_t elements_of(const Nest& nest) const {
    std::int64_t size = 1;
    for (const std::uint8_t index : nest.order) size *= tiles_[index];
    return size;
  }
  /// How many columns a thread takes of what a group reads of a product in registers; 0: it reads none.
  int columns_of(const Nest& nest) const {
    std::vector<int> read = nest.stores;
    for (const int node : nest.nodes)
      for (const int operand : {int{graph_.nodes[slot(node)].a}, int{graph_.nodes[slot(node)].b}})
        if (operand >= 0) read.push_back(operand);
    for (const int node : read)
      if (nested_->in_registers[slot(node)]) return nested_->columns[slot(node)];
    return 0;
  }
  /// Where the accesses of a group go in turn: as the thread's elements of such a product lie.
  std::int64_t turn_of(const Nest& nest, std::int64_t i) const {
    return columns_ == 0
               ? i
               : element_of(i % threads_, i / threads_, threads_, tiles_[nest.order.back()], columns_);
  }
  /// The coordinates in the tile of element i of a nest.
  Extents place(const Nest& nest, std::int64_t i) const {
    Extents found{};
    for (std::size_t dim = nest.order.size(); dim-- > 0;) {
      const std::int64_t extent = tiles_[nest.order[dim]];
      found[nest.order[dim]] = static_cast<std::int32_t>(i % extent);
      i /= extent;
    }
    return found;
  }
  std::int64_t shared_place(int node, const Extents& place) const {
    const auto& layout = nested_->layout[slot(node)];
    std::int64_t at = 0;
    for (const std::uint8_t index : layout) at += place[index] * shared_stride(layout, tiles_, index);
    return at;
  }
  /// The element's place in global memory; -1 beyond the end.
  std::int64_t global_place(int node, const Extents& place) const {
    std::int64_t at = 0;
    for (const std::uint8_t index : dims_[slot(node)]) {
      const std::int64_t first = index == launch_.loop ? turn_ * tiles_[index] : 0;
      if (first + place[index] >= extents_[index]) return -1;
      at = at * extents_[index] + first + place[index];
    }
    return at;
  }

  void count_nest(const Nest& nest) {
    const std::int64_t size = elements_of(nest);
    if (nest.kind == Nest::sum) return count_sum(nest, size);
    if (nest.kind == Nest::product) return count_product(nest, size);
    columns_ = columns_of(nest);
    std::size_t missed = 0;
    double first = 0.0;
    std::int64_t most_parts = 1;
    for (const int node : nest.loads) {
      if (!load(nest, node, size)) continue;
      most_parts = std::max(most_parts, parts_of(node));
      ++missed;
      first = std::max(first, first_of(node));
    }
    if (missed > 0)
      waits(divided(size, threads_) * divided(most_parts, kTogether), nest.loads.size(),
            divided(std::min(size, threads_), kLanes), first);
    const auto from_tile = [&](int node) {
      return !is_constant(plan_, node) && !listed(nest.nodes, node) && !listed(nest.loads, node) &&
             !nested_->in_registers[slot(node)];
    };
    std::vector<int> tiles;
    for (const int node : nest.nodes)
      for (const int operand : {graph_.nodes[slot(node)].a, graph_.nodes[slot(node)].b})
        if (operand >= 0 && from_tile(operand) && !listed(tiles, operand)) tiles.push_back(operand);
    for (const int node : nest.stores)
      if (from_tile(node) && !listed(tiles, node)) tiles.push_back(node);
    for (const int node : tiles)
      shared(node, "shared load", size,
             [&](std::int64_t i) { return shared_place(node, place(nest, turn_of(nest, i))); });
    for (const int node : nest.stages_shared)
      shared(node, "shared store", size,
             [&](std::int64_t i) { return shared_place(node, place(nest, turn_of(nest, i))); });
    for (const int node : nest.stores) {
      const std::int64_t kept = weight_;
      weight_ =
          std::llround(static_cast<double>(weight_) * first_of(node));  // one of those that compute the same
      global(node, true, size,
             [&](std::int64_t i) { return global_place(node, place(nest, turn_of(nest, i))); });
      weight_ = kept;
    }
    counters_->flops += static_cast<double>(weight_ * size) * static_cast<double>(nest.nodes.size());
  }
  /// Whether any of it had to come from beyond the L1. Of what lies in parts each, and their maxima twice.
  bool load(const Nest& nest, int node, std::int64_t size) {
    const auto part = [&](int of, std::int64_t number) {
      const std::int64_t first = number * size_of_tensor(of);
      return global(of, false, size, [&](std::int64_t i) {
        const std::int64_t at = global_place(of, place(nest, turn_of(nest, i)));
        return at < 0 ? at : first + at;
      });
    };
    bool missed = false;
    const int maximum = launch_.parts[slot(node)].maximum;
    for (std::int64_t number = 0; number < parts_of(node); ++number) {
      missed |= part(node, number);
      if (maximum >= 0 && maximum != node) missed |= part(maximum, number), part(maximum, number);
    }
    return missed;
  }
  void count_sum(const Nest& nest, std::int64_t size) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const std::int64_t extent = tiles_[slot(op.over)];
    const std::int64_t kept = weight_, alike = divided(size, kWalkedRequests);
    for (std::int64_t i = 0; i < size; i += alike) {
      weight_ = kept * std::min(alike, size - i);
      Extents at = place(nest, i);
      int from = op.a;
      if (nest.folded >= 0) {
        const Node& term = graph_.nodes[slot(nest.folded)];
        from = is_constant(plan_, term.a) ? term.b : term.a;
      }
      shared(from, "shared load", extent, [&](std::int64_t k) {
        at[slot(op.over)] = static_cast<std::int32_t>(k);
        return shared_place(from, at);
      });
      const auto one = [&](std::int64_t) { return shared_place(node, place(nest, i)); };
      if (launch_.accumulates(graph_, node)) shared(node, "shared load", 1, one);
      shared(node, "shared store", 1, one);
      if (launch_.is_rescaled(node)) shared(nested_->rescale, "shared load", 1, one);
      if (node == nested_->rescale) shared(node, "shared load", 1, one), shared(node, "shared store", 1, one);
    }
    weight_ = kept;
    counters_->warp_operations += weight_ * size * 5;
    counters_->flops += static_cast<double>(weight_ * size * extent * (nest.folded >= 0 ? 2 : 1));
  }
  void count_product(const Nest& nest, std::int64_t size) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const std::int64_t extent = tiles_[slot(op.over)];
    const auto operand = [&](int from, std::int64_t of) {
      shared(
          from, "shared load", of, [&](std::int64_t i) { return shared_place(from, place(nest, i)); },
          extent);
    };
    const bool kept = nested_->in_registers[slot(node)];
    const int column = nested_->column[slot(node)];
    for (const int from : {op.a, op.b}) {
      if (!kept || column < 0) {
        operand(from, size);
        continue;
      }
      // Of one operand a thread reads an element for each of its columns, of the other one for each row.
      const std::int64_t columns = nested_->columns[slot(node)], step = from == column ? 1 : columns;
      const std::int64_t row = tiles_[nest.order.back()];
      shared(
          from, "shared load", threads_ * (from == column ? columns : size / threads_ / columns),
          [&](std::int64_t i) {
            return shared_place(
                from, place(nest, element_of(i % threads_, i / threads_ * step, threads_, row, columns)));
          },
          extent);
    }
    if (!kept) {
      const auto own = [&](std::int64_t i) { return shared_place(node, place(nest, i)); };
      if (launch_.accumulates(graph_, node)) shared(node, "shared load", size, own);
      shared(node, "shared store", size, own);
    }
    if (launch_.is_rescaled(node))
      shared(nested_->rescale, "shared load", size,
             [&](std::int64_t i) { return shared_place(nested_->rescale, place(nest, i)); });
    counters_->flops += 2.0 * static_cast<double>(weight_ * size * extent);
  }

  const Nested* nested_ = nullptr;
  std::int64_t turn_ = 0;
  int columns_ = 0;  ///< of the group at work
};

}  // namespace

std::unique_ptr<LaunchCounter> tile_counter(const Program& program, const Plan& plan, const Launch& launch,
                                            const Kernel& kernel, const Extents& extents) {
  return std::make_unique<TileCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
