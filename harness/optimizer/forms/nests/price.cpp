// Counters of paths plain, product and attention: one block's turns are walked, the others are alike.
#include <set>

#include "optimizer/forms/nests/shape.h"
#include "optimizer/forms/nests/walks.h"
#include "optimizer/launch/counter.h"

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
      for (std::int64_t turn = 0; turn < walked; ++turn) {
        weight_ = blocks_ * (turn + 1 < walked ? 1 : times - turn);
        if (launch_.loop >= 0)
          firsts_[slot(launch_.loop)] = static_cast<std::int32_t>(turn * tiles_[slot(launch_.loop)]);
        for (const Nest& nest : nested.nests)
          if (nest.stage == stage) count_nest(nest);
      }
    }
    for (const Nest& nest : nested.nests)
      if (nest.stage % 2 == 1)
        for (const int node : nest.nodes)
          if (launch_.accumulates(graph_, node) && nested.is_shared[slot(node)]) {
            weight_ = blocks_;
            shared(node, runs::SiteKind::shared_store, elements_of(nest), [](std::int64_t i) { return i; });
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
  std::int64_t turn_of(std::int64_t i) {
    if (columns_ == 0) return i;
    if (i < round_ || i >= round_ + threads_) {
      round_ = i / threads_ * threads_;
      round_begins_at_ = element_of(0, i / threads_, threads_, row_, columns_);
    }
    return round_begins_at_ + of_threads_[static_cast<std::size_t>(i - round_)];
  }
  void begin_turns(const Nest& nest) {
    columns_ = columns_of(nest);
    if (columns_ == 0) return;
    row_ = tiles_[nest.order.back()];
    round_ = round_begins_at_ = 0;
    of_threads_.resize(static_cast<std::size_t>(threads_));
    for (std::int64_t thread = 0; thread < threads_; ++thread)
      of_threads_[static_cast<std::size_t>(thread)] = element_of(thread, 0, threads_, row_, columns_);
  }
  /// Where a tile's element lies in shared memory, from its coordinates.
  auto shared_place(int node) const {
    std::vector<std::pair<std::uint8_t, std::int64_t>> strides;
    for (const std::uint8_t index : nested_->layout[slot(node)])
      strides.emplace_back(index, shared_stride(nested_->layout[slot(node)], tiles_, index));
    return [strides = std::move(strides)](const Extents& place) {
      std::int64_t at = 0;
      for (const auto& [index, stride] : strides) at += place[index] * stride;
      return at;
    };
  }
  GlobalWalk global_walk(const Nest& nest, int node) const {
    return {nest, tiles_, dims_[slot(node)], extents_, firsts_};
  }

  void count_nest(const Nest& nest) {
    const std::int64_t size = elements_of(nest);
    if (nest.kind == Nest::sum) return count_sum(nest, size);
    if (nest.kind == Nest::product) return count_product(nest, size);
    begin_turns(nest);
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
    const auto in_turn = [&](int node, runs::SiteKind kind) {
      TileWalk walk(nest, tiles_);
      shared(node, kind, size,
             [&, place = shared_place(node)](std::int64_t i) { return place(walk.at(turn_of(i))); });
    };
    for (const int node : tiles) in_turn(node, runs::SiteKind::shared_load);
    for (const int node : nest.stages_shared) in_turn(node, runs::SiteKind::shared_store);
    for (const int node : nest.stores) {
      const std::int64_t kept = weight_;
      weight_ =
          std::llround(static_cast<double>(weight_) * first_of(node));  // one of those that compute the same
      GlobalWalk walk = global_walk(nest, node);
      global(node, true, size, [&](std::int64_t i) { return walk.at(turn_of(i)); });
      weight_ = kept;
    }
    counters_->flops += static_cast<double>(weight_ * size) * static_cast<double>(nest.nodes.size());
  }
  /// Whether any of it had to come from beyond the L1. Of what lies in parts each, and their maxima twice.
  bool load(const Nest& nest, int node, std::int64_t size) {
    const auto part = [&](int of, std::int64_t number) {
      const std::int64_t first = number * size_of_tensor(of);
      GlobalWalk walk = global_walk(nest, of);
      return global(of, false, size, [&](std::int64_t i) {
        const std::int64_t at = walk.at(turn_of(i));
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
    TileWalk walk(nest, tiles_);
    for (std::int64_t i = 0; i < size; i += alike) {
      weight_ = kept * std::min(alike, size - i);
      Extents at = walk.at(i);
      int from = op.a;
      if (nest.folded >= 0) {
        const Node& term = graph_.nodes[slot(nest.folded)];
        from = is_constant(plan_, term.a) ? term.b : term.a;
      }
      const std::int64_t own = shared_place(node)(at);
      shared(from, runs::SiteKind::shared_load, extent, [&, place = shared_place(from)](std::int64_t k) {
        at[slot(op.over)] = static_cast<std::int32_t>(k);
        return place(at);
      });
      const auto one = [&](std::int64_t) { return own; };
      if (launch_.accumulates(graph_, node)) shared(node, runs::SiteKind::shared_load, 1, one);
      shared(node, runs::SiteKind::shared_store, 1, one);
      if (launch_.is_rescaled(node)) shared(nested_->rescale, runs::SiteKind::shared_load, 1, one);
      if (node == nested_->rescale)
        shared(node, runs::SiteKind::shared_load, 1, one), shared(node, runs::SiteKind::shared_store, 1, one);
    }
    weight_ = kept;
    counters_->warp_operations += weight_ * size * 5;
    counters_->flops += static_cast<double>(weight_ * size * extent * (nest.folded >= 0 ? 2 : 1));
  }
  void count_product(const Nest& nest, std::int64_t size) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const std::int64_t extent = tiles_[slot(op.over)];
    TileWalk walk(nest, tiles_);
    const auto in_turn = [&](int of) {
      return [&, place = shared_place(of)](std::int64_t i) { return place(walk.at(i)); };
    };
    const bool kept = nested_->in_registers[slot(node)];
    const int column = nested_->column[slot(node)];
    for (const int from : {op.a, op.b}) {
      if (!kept || column < 0) {
        shared(from, runs::SiteKind::shared_load, size, in_turn(from), extent);
        continue;
      }
      // Of one operand a thread reads an element for each of its columns, of the other one for each row.
      const std::int64_t columns = nested_->columns[slot(node)], step = from == column ? 1 : columns;
      const std::int64_t row = tiles_[nest.order.back()];
      shared(
          from, runs::SiteKind::shared_load,
          threads_ * (from == column ? columns : size / threads_ / columns),
          [&, place = in_turn(from)](std::int64_t i) {
            return place(element_of(i % threads_, i / threads_ * step, threads_, row, columns));
          },
          extent);
    }
    if (!kept) {
      const auto own = in_turn(node);
      if (launch_.accumulates(graph_, node)) shared(node, runs::SiteKind::shared_load, size, own);
      shared(node, runs::SiteKind::shared_store, size, own);
    }
    if (launch_.is_rescaled(node))
      shared(nested_->rescale, runs::SiteKind::shared_load, size, in_turn(nested_->rescale));
    counters_->flops += 2.0 * static_cast<double>(weight_ * size * extent);
  }

  const Nested* nested_ = nullptr;
  Extents firsts_{};      ///< coordinates of the turn's tiles
  int columns_ = 0;       ///< of the group at work
  std::int64_t row_ = 1;  ///< elements of a row of its tile
  /// Of each thread's first element, and of its number i / threads_, at `round_`: places in the tile.
  std::vector<std::int64_t> of_threads_;
  std::int64_t round_ = 0, round_begins_at_ = 0;
};

}  // namespace

std::unique_ptr<LaunchCounter> nest_counter(const Program& program, const Plan& plan, const Launch& launch,
                                            const Kernel& kernel, const Extents& extents) {
  return std::make_unique<TileCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
