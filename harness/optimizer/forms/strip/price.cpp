// Counters of path strip: one turn of a block is walked, and what is left behind the last whole one.
#include <bit>

#include "optimizer/forms/strip/shape.h"
#include "optimizer/launch/counter.h"
#include "optimizer/launch/tiles.h"

namespace workbook::opt {
namespace {

constexpr int kThreadsOfSm = 2048;

class StripCounter final : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 private:
  void count() override {
    shape_ = *strip_shape(program_, plan_, launch_, kernel_);
    count_grid();
    warps_ = kernel_.warps;
    weight_ = blocks_;
    own_ = items_of_block();
    for (const int node : shape_.numbers) once(node, false);
    for (const int node : shape_.columns) once(node, false);
    for (const int node : shape_.parted) count_parts(node);
    std::size_t sites = shape_.packs.size() + shape_.singles.size();
    record_.registers = shape_.registers();
    int sweeps = 0;
    for (int phase = 0; phase < shape_.phases(); ++phase) {
      for (const int node : shape_.finals)
        if (shape_.phase[slot(node)] == phase) {
          meet(node);
          if (listed(launch_.writes, node)) once(node, true);
        }
      count_once(phase);
      if (!has_sweep(phase)) continue;
      count_sweep(phase, sweeps == 0 || !shape_.held, sites);
      ++sweeps;
    }
    if (!shape_.held) count_again(sweeps - 1);
  }

  void count_grid() {
    std::uint32_t* const grid[] = {&record_.grid.x, &record_.grid.y, &record_.grid.z};
    for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis) {
      const int index = shape_.axes[axis];
      const std::int64_t extent = extents_[slot(index)];
      const std::int64_t parts = index == shape_.cut ? divided(extent, tile_of(kernel_, index, extent))
                                 : shape_.across && index == shape_.lane ? divided(extent, shape_.tile())
                                                                         : extent;
      *grid[axis] = static_cast<std::uint32_t>(parts);
      blocks_ *= parts;
    }
  }
  /// Of an index, how many elements the first block has.
  std::int64_t extent(int index) const {
    const std::int64_t all = extents_[slot(index)];
    return index == shape_.cut ? std::min(all, tile_of(kernel_, index, all)) : all;
  }
  std::int64_t items_of_block() const {
    std::int64_t items = 1;
    for (const int index : shape_.over)
      items *= index == shape_.lane ? divided(extent(index), shape_.vector) : extent(index);
    return items;
  }
  bool has_sweep(int phase) const {
    for (const int node : node_list(kernel_.nodes)) {
      if (shape_.is_taken(node, phase)) return true;
      if (shape_.goes_over(node) && listed(launch_.writes, node) && shape_.phase[slot(node)] == phase)
        return true;
    }
    return false;
  }

  /// The first block's place of an item's element, in a tensor; the lane's element is `along`.
  std::int64_t place(int node, std::int64_t item, std::int64_t along) const {
    Extents at{};
    for (std::size_t dim = shape_.over.size(); dim-- > 0;) {
      const int index = shape_.over[dim];
      const std::int64_t size = index == shape_.lane ? divided(extent(index), shape_.vector) : extent(index);
      at[slot(index)] = static_cast<std::int32_t>(item % size * (index == shape_.lane ? shape_.vector : 1));
      item /= size;
    }
    if (shape_.across) at[slot(shape_.lane)] = static_cast<std::int32_t>(along);
    std::int64_t place = 0;
    for (const std::uint8_t index : dims_[slot(node)]) place = place * extents_[index] + at[index];
    return place;
  }
  /// Packs or single elements of all threads for one step of a turn.
  bool step(int node, bool store, std::int64_t first) {
    const std::int64_t size = extents_[slot(shape_.lane)], vector = shape_.vector;
    const bool lane = has(shapes_[slot(node)], shape_.lane), whole = size % vector == 0;
    const std::int64_t width = !lane ? 1 : whole ? vector : 1;
    bool missed = false;
    for (std::int64_t each = 0; each < (lane && !whole ? vector : 1); ++each)
      missed |= pieces(node, width, [&](std::int64_t piece, std::int64_t piece_width) {
        return global(
            node, store, threads_,
            [&](std::int64_t thread) -> std::int64_t {
              const std::int64_t item = first + (shape_.across ? thread / shape_.lanes : thread);
              if (store && item >= own_) return -1;
              std::int64_t along = thread % shape_.lanes * vector;
              if (store && shape_.across && along >= size) return -1;
              along = std::min(along, std::max<std::int64_t>(0, size - vector));
              return place(node, std::min(item, own_ - 1), along) + each + piece;
            },
            piece_width);
      });
    return missed;
  }
  /// A pack is read in pieces of 16 bytes.
  template <class Body>
  bool pieces(int node, std::int64_t width, Body body) const {
    const std::int64_t most = std::max<std::int64_t>(1, 16 / item_bytes(storage_of(program_, plan_, node)));
    bool missed = false;
    for (std::int64_t piece = 0; piece < width; piece += most)
      missed |= body(piece, std::min(most, width - piece));
    return missed;
  }

  void count_sweep(int phase, bool loads, std::size_t sites) {
    const std::int64_t beside = shape_.rows_of_items(), turn = beside * shape_.together;
    const std::int64_t whole = own_ / turn, rest = own_ % turn;
    const auto walk = [&](std::int64_t first, std::int64_t turns) {
      if (turns == 0) return;
      weight_ = blocks_ * turns;
      held_.clear();
      bool missed = false;
      for (int i = 0; i < shape_.together; ++i) {
        for (const int node : shape_.packs)
          if (loads) missed |= step(node, false, first + i * beside);
        for (const int node : shape_.singles)
          if (loads) missed |= step(node, false, first + i * beside);
        for (const int node : launch_.writes)
          if (shape_.goes_over(node) && shape_.phase[slot(node)] == phase && first + i * beside < own_)
            step(node, true, first + i * beside);
      }
      if (missed && sites > 0) {
        counters_->chained_misses += weight_ * warps_;
        counters_->chained_dram_misses += weight_ * warps_;
      }
    };
    walk(0, whole);
    walk(whole * turn, rest > 0 ? 1 : 0);
    weight_ = blocks_;
    double nodes = 0;
    for (const int node : node_list(kernel_.nodes)) nodes += shape_.goes_over(node) || shape_.is_final(node);
    counters_->flops += nodes * static_cast<double>(blocks_ * own_ * shape_.vector) *
                        static_cast<double>(shape_.across ? shape_.lanes : 1);
  }
  /// Later sweeps ask the L2 again, and DRAM for what that no longer has.
  void count_again(int sweeps) {
    double bytes = 0.0;
    for (const int node : shape_.packs)
      bytes += static_cast<double>(item_bytes(storage_of(program_, plan_, node)) * size_of_tensor(node));
    const int resident = std::min(shape_.blocks_of_sm(), kThreadsOfSm / shape_.threads);
    const double at_once = bytes * std::min(1.0, kSms * resident / static_cast<double>(blocks_));
    if (sweeps > 0 && at_once > static_cast<double>(kKeptBytes))
      counters_->dram_bytes_read +=
          std::llround(sweeps * bytes * (1.0 - static_cast<double>(kKeptBytes) / at_once));
  }

  /// What a block has one of, or one a column.
  void once(int node, bool store) {
    const std::int64_t vector = shape_.vector, size = extents_[slot(shape_.lane)];
    weight_ = blocks_;
    if (!has(shapes_[slot(node)], shape_.lane)) {
      if (global(node, store, store ? 1 : threads_, [](std::int64_t) { return std::int64_t{0}; }))
        waits(1, 1, warps_, 1.0);
      return;
    }
    const bool whole = size % vector == 0;
    bool missed = false;
    for (std::int64_t each = 0; each < (whole ? 1 : vector); ++each)
      missed |= pieces(node, whole ? vector : 1, [&](std::int64_t piece, std::int64_t width) {
        return global(
            node, store, store ? shape_.lanes : threads_,
            [&](std::int64_t thread) -> std::int64_t {
              const std::int64_t along = thread % shape_.lanes * vector;
              if (store && along >= size) return -1;
              return std::min(along, std::max<std::int64_t>(0, size - vector)) + each + piece;
            },
            width);
      });
    if (missed) waits(1, 1, warps_, 1.0);
  }
  void count_once(int phase) {
    for (const int node : node_list(kernel_.nodes)) {
      if (shape_.goes_over(node) || shape_.is_final(node) || shape_.phase[slot(node)] != phase) continue;
      if (listed(launch_.writes, node)) once(node, true);
    }
  }

  void count_parts(int node) {
    const std::int64_t parts = parts_of(node), size = size_of_tensor(node), vector = shape_.vector,
                       length = extents_[slot(shape_.lane)];
    if (!has(shapes_[slot(node)], shape_.lane)) {  // by the lanes of each warp
      bool missed = false;
      for (std::int64_t from = 0; from < parts; from += kLanes)
        missed |= global(node, false, threads_, [&](std::int64_t thread) {
          const std::int64_t part = from + thread % kLanes;
          return part < parts ? part * size : -1;
        });
      if (missed) waits(divided(parts, kLanes), 1, warps_, 1.0);
      counters_->warp_operations += weight_ * warps_ * 5;
      return;
    }
    const bool whole = length % vector == 0;
    bool missed = false;
    for (std::int64_t from = 0; from < parts; from += shape_.rows)
      for (std::int64_t each = 0; each < (whole ? 1 : vector); ++each)
        missed |= pieces(node, whole ? vector : 1, [&](std::int64_t piece, std::int64_t width) {
          return global(
              node, false, threads_,
              [&](std::int64_t thread) -> std::int64_t {
                const std::int64_t part = from + thread / shape_.lanes;
                const std::int64_t along = thread % shape_.lanes * vector;
                return part < parts
                           ? part * size + std::min(along, std::max<std::int64_t>(0, length - vector)) +
                                 each + piece
                           : -1;
              },
              width);
        });
    if (missed) waits(divided(divided(parts, shape_.rows), 2), 1, warps_, 1.0);
    meet(node);
  }

  /// The sum of all threads: rows_sum, or block_sum.
  void meet(int node) {
    weight_ = blocks_;
    const auto by_lane = [](std::int64_t i) { return i; };
    const auto same = [](std::int64_t) { return std::int64_t{0}; };
    if (!shape_.across) {
      counters_->warp_operations += weight_ * warps_ * 5;
      if (warps_ == 1) return;
      counters_->barriers += 2 * weight_;
      record_.shared_bytes += 4 * warps_;
      shared(node, runs::SiteKind::shared_store, 1, same, warps_);
      shared(node, runs::SiteKind::shared_load, kLanes, same, warps_ * warps_);
      return;
    }
    const std::int64_t lanes = shape_.lanes, columns = shape_.tile();
    const std::int64_t steps = std::bit_width(static_cast<std::uint64_t>(kLanes / lanes)) - 1;
    counters_->warp_operations += weight_ * warps_ * steps * shape_.vector;
    if (warps_ == 1) return;
    counters_->barriers += 3 * weight_;
    record_.shared_bytes = std::max(record_.shared_bytes, 4 * columns * (warps_ + 1));
    shared(node, runs::SiteKind::shared_store, lanes, by_lane, shape_.vector * warps_);
    shared(node, runs::SiteKind::shared_load, columns, by_lane, warps_);
    shared(node, runs::SiteKind::shared_store, columns, by_lane);
    shared(
        node, runs::SiteKind::shared_load, kLanes, [&](std::int64_t i) { return i % lanes; },
        shape_.vector * warps_);
  }

  StripShape shape_;
  std::int64_t warps_ = 1, own_ = 1;  ///< items of the first block
};

}  // namespace

std::unique_ptr<LaunchCounter> strip_counter(const Program& program, const Plan& plan, const Launch& launch,
                                             const Kernel& kernel, const Extents& extents) {
  return std::make_unique<StripCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
