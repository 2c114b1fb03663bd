// Counters of path window: one block in the middle is walked, and of long loops some turns in the middle.
#include "optimizer/forms/window/shape.h"
#include "optimizer/launch/counter.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kMostWalked = 8;  ///< turns of a loop

class WindowCounter final : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 private:
  void count() override {
    shape_ = *window_shape(program_, plan_, launch_, kernel_);
    rows_ = 1;
    for (const int index : shape_.rows) rows_ *= extent_of_rows(index);
    packs_ = divided(extents_[slot(shape_.lane)], shape_.vector);
    items_ = rows_ * packs_;
    blocks_ = divided(items_, shape_.threads);
    record_.grid.x = static_cast<std::uint32_t>(blocks_);
    record_.registers = 32 + 4 * shape_.vector + 2 * shape_.vector * shape_.down;
    std::int64_t middle = 0;  // of all indices: at ends views are outside of their sources
    for (const int index : shape_.rows) middle = middle * extent_of_rows(index) + extent_of_rows(index) / 2;
    first_ = (middle * packs_ + packs_ / 2) / shape_.threads * shape_.threads;
    const double share = static_cast<double>(items_) / static_cast<double>(blocks_ * shape_.threads);
    share_ = blocks_ == 1 ? 1.0 : share;
    count_scope(shape_.scope, Extents{}, 1.0);
    weight_ = blocks_;
    for (const int node : launch_.writes) access(node, true, Extents{});
  }

  std::int64_t extent_of_rows(int index) const {
    return divided(extents_[slot(index)], index == shape_.below ? shape_.down : 1);
  }
  std::int64_t weight(double times) const {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(blocks_) * share_ * times));
  }

  /// How often a warp waits for what it reads: rows of a tensor are on their way together, so many of them.
  std::int64_t count_scope(const WindowScope& scope, Extents at, double times) {
    weight_ = weight(times);
    std::int64_t waited = 0;
    for (const int node : scope.reads) waited = std::max(waited, divided(access(node, false, at), kTogether));
    const double work = static_cast<double>(items_ * shape_.vector * shape_.down) * times;
    counters_->flops += work * static_cast<double>(scope.nodes.size());
    for (const WindowScope& loop : scope.loops) {
      const int index = graph_.nodes[slot(loop.node)].over;
      const std::int64_t turns = extents_[slot(index)], walked = std::min(turns, kMostWalked);
      std::int64_t rounds = 0;
      for (std::int64_t i = 0; i < walked; ++i) {
        at[slot(index)] = static_cast<std::int32_t>((turns - walked) / 2 + i);
        rounds += count_scope(loop, at, times * static_cast<double>(turns) / static_cast<double>(walked));
      }
      // So are turns of one that reads one tensor.
      const bool together = loop.reads.size() == 1 && loop.loops.empty() && shape_.down == 1;
      rounds = together ? divided(rounds, kTogether) : rounds;
      wait(times * static_cast<double>(rounds * turns) / static_cast<double>(walked), 0.5);
      counters_->flops += work * static_cast<double>(turns);
    }
    if (scope.node < 0) wait(static_cast<double>(waited), 1.0);
    return waited;
  }
  /// `first`: how many of the warps are the first that want what they wait for.
  void wait(double rounds, double first) {
    const double waits = static_cast<double>(blocks_ * kernel_.warps) * share_ * rounds;
    counters_->chained_misses += std::llround(waits);
    counters_->chained_dram_misses += std::llround(first * waits);
  }

  /// Of an element of the result, or of a tensor that it is made from; -1: outside.
  std::int64_t place(int node, const Extents& at) const {
    if (!is_view(plan_, node)) return place_in(dims_[slot(node)], at);
    const Tensor& view = graph_.inputs[slot(node)];
    const Tensor& source = graph_.inputs[slot(view.view_of)];
    std::int64_t place = 0;
    for (std::size_t dim = 0; dim < source.dims.size(); ++dim) {
      const std::int64_t own = view.view[dim].at(at, extents_), extent = extents_[source.dims[dim]];
      if (own < 0 || own >= extent) return -1;
      place = place * extent + own;
    }
    return place;
  }
  std::int64_t place_in(const std::vector<std::uint8_t>& dims, const Extents& at) const {
    std::int64_t place = 0;
    for (const std::uint8_t index : dims) place = place * extents_[index] + at[index];
    return place;
  }
  bool in_whole_packs(int node, const Extents& loops) const {
    if (!shape_.in_packs(plan_, node, dims_[slot(node)])) return false;
    if (!is_view(plan_, node)) return extents_[slot(shape_.lane)] % shape_.vector == 0;
    const Tensor& view = graph_.inputs[slot(node)];
    return extents_[graph_.inputs[slot(view.view_of)].dims.back()] % shape_.vector == 0 &&
           view.view.back().at(loops, extents_) % shape_.vector == 0;
  }
  /// Sets the coordinates of a row; false where it is outside and nothing of it is stored.
  bool go_to_row(std::int64_t row, bool store, std::int64_t below, Extents& at) const {
    for (std::size_t dim = shape_.rows.size(); dim-- > 0;) {
      const int index = shape_.rows[dim];
      const std::int64_t extent = extent_of_rows(index);
      std::int64_t own = row % extent;
      row /= extent;
      if (index == shape_.below) {
        own = own * shape_.down + below;
        if (store && own >= extents_[slot(index)]) return false;
        own = std::min<std::int64_t>(own, extents_[slot(index)] - 1);
      }
      at[slot(index)] = static_cast<std::int32_t>(own);
    }
    return true;
  }
  /// How many rows of those that a thread has miss the L1.
  std::int64_t access(int node, bool store, const Extents& loops) {
    if (is_placed(plan_, node)) return 0;
    const std::int64_t size = extents_[slot(shape_.lane)], vector = shape_.vector;
    const bool wide = has(shapes_[slot(node)], shape_.lane);
    const bool whole = store ? size % vector == 0 : in_whole_packs(node, loops);
    const std::int64_t pack = wide && whole ? vector : 1;
    const std::int64_t most =
        std::min(pack, std::max<std::int64_t>(1, 16 / item_bytes(storage_of(program_, plan_, node))));
    const int of = is_view(plan_, node) ? graph_.inputs[slot(node)].view_of : node;
    const bool tall = shape_.below >= 0 && has(shapes_[slot(node)], shape_.below);
    std::int64_t missed = 0;
    for (std::int64_t row = 0; row < (tall ? shape_.down : 1); ++row) {
      bool any = false, inside = false;
      Extents at = loops;
      std::int64_t begin = items_;  // of the row that `at` is in, its first item
      for (std::int64_t each = 0; each < (wide ? vector : 1); each += most)
        any |= global(
            of, store, shape_.threads,
            [&](std::int64_t thread) {
              const std::int64_t item = first_ + thread;
              if (item >= items_) return std::int64_t{-1};
              if (item < begin || item >= begin + packs_) {
                begin = item / packs_ * packs_;
                inside = go_to_row(item / packs_, store, row, at);
              }
              const std::int64_t along = (item - begin) * vector + each;
              if (!inside || (store && along >= size)) return std::int64_t{-1};
              at[slot(shape_.lane)] = static_cast<std::int32_t>(std::min(along, size - 1));
              return place(node, at);
            },
            most);
      missed += any;
    }
    return missed;
  }

  WindowShape shape_;
  std::int64_t rows_ = 1, packs_ = 1, items_ = 1;  ///< packs of a row; of all rows
  std::int64_t first_ = 0;                         ///< item of the block that is walked
  double share_ = 1.0;                             ///< of the threads of all blocks, those that have an item
};

}  // namespace

std::unique_ptr<LaunchCounter> window_counter(const Program& program, const Plan& plan, const Launch& launch,
                                              const Kernel& kernel, const Extents& extents) {
  return std::make_unique<WindowCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
