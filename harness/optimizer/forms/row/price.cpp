// Counters of path row.
#include "optimizer/forms/row/shape.h"
#include "optimizer/launch/counter.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kRegistersBesides = 24;

class RowCounter final : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 private:
  /// Rows in parts one after the other; of what a row has once, a part a lane. Of joined ones the maxima for
  /// the largest, and again for the factors.
  template <class Access>
  void read_parts(int node, Access access) {
    const std::int64_t parts = parts_of(node);
    const int maximum = launch_.parts[slot(node)].maximum;
    if (maximum == node && !is_operand(node)) return;
    const auto by_lanes = [&](int of, bool counts) {
      bool missed = false;
      for (std::int64_t from = 0; from < parts; from += kLanes)
        missed |= global(of, false, row_.threads, [&](std::int64_t thread) {
          const std::int64_t part = from + thread % kLanes;
          return part < parts ? part * size_of_tensor(of) : -1;
        });
      if (counts) counters_->warp_operations += rows_ * row_warps_ * 5;
      if (missed) waits(divided(parts, kLanes), 1, row_warps_, 1.0);
    };
    if (maximum >= 0) by_lanes(maximum, true);
    if (maximum == node) return;
    if (!has(shapes_[slot(node)], row_.index)) {
      if (maximum >= 0) by_lanes(maximum, false);
      return by_lanes(node, true);
    }
    bool missed = false;
    for (std::int64_t part = 0; part < parts; ++part) {
      if (maximum >= 0) access(maximum, false, part * size_of_tensor(maximum));
      missed |= access(node, false, part * size_of_tensor(node), true);
    }
    // Two loads of a round: two rounds are on their way together.
    if (missed) waits(maximum >= 0 ? divided(parts, 2) : parts, maximum >= 0 ? 2 : 1, row_warps_, 1.0);
  }
  bool is_operand(int node) const {
    for (const int user : node_list(kernel_.nodes))
      if (graph_.nodes[slot(user)].a == node || graph_.nodes[slot(user)].b == node) return true;
    return false;
  }

  void count() override {
    row_ = *row_shape(program_, plan_, launch_, kernel_);
    const RowShape& row = row_;
    for (const int index : row.rows) rows_ *= extents_[slot(index)];
    const std::int64_t length = extents_[slot(row.index)];
    if (row.in_pieces) rows_ *= divided(length, row.piece());
    blocks_ = divided(rows_, kernel_.beside);
    record_.grid.x = static_cast<std::uint32_t>(blocks_);
    weight_ = rows_;
    row_warps_ = row.threads / 32;
    const std::int64_t size = row.in_pieces ? row.piece() : length;
    const std::int64_t width = length % row.vector == 0 ? row.vector : 1;
    std::size_t wide = 0;
    double first = 0.0;
    // In parts, and behind the row's end, its last elements are loaded again.
    const auto access = [&](int node, bool store, std::int64_t from = 0, bool in_parts = false) {
      if (!has(shapes_[slot(node)], row.index))
        return global(node, store, store ? 1 : row_.threads, [&](std::int64_t) { return from; });
      bool missed = false;
      for (std::int64_t e = 0; e < row.packs * row.vector; e += width)
        missed |= global(
            node, store, row_.threads,
            [&](std::int64_t thread) {
              const std::int64_t at = (e / row.vector * row_.threads + thread) * row.vector + e % row.vector;
              return at < size ? from + at : in_parts ? from + size - width : -1;
            },
            width);
      return missed;
    };
    for (const int node : launch_.reads) {
      if (is_constant(plan_, node) || is_placed(plan_, node)) continue;
      if (launch_.parts[slot(node)].launch >= 0) {
        read_parts(node, access);
        continue;
      }
      if (!access(node, false, 0)) continue;
      ++wide;
      first = std::max(
          first, within(static_cast<IndexSet>(program_.output_set() & ~only(row.index)), shapes_[slot(node)])
                     ? 1.0
                     : 1.0 / static_cast<double>(rows_));
    }
    // What is read of a row stays there until it is written, as floats.
    record_.registers = kRegistersBesides + static_cast<std::int64_t>(wide) * row.packs * row.vector;
    if (wide > 0) waits(std::max<std::int64_t>(1, divided(row.packs, kTogether)), 1, row_warps_, first);
    for (const int node : launch_.writes) access(node, true);
    for (const int node : node_list(kernel_.nodes)) {
      const bool over = graph_.nodes[slot(node)].over >= 0;
      counters_->flops += static_cast<double>(rows_) *
                          static_cast<double>(over || has(shapes_[slot(node)], row.index) ? size : 1);
      if (!over) continue;
      counters_->warp_operations += rows_ * row_warps_ * 5;
      if (row_warps_ == 1) continue;
      counters_->barriers += 2 * rows_;
      record_.shared_bytes += 4 * row_warps_;
      for (std::int64_t warp = 0; warp < row_warps_; ++warp) {
        shared(node, runs::SiteKind::shared_store, 1, [](std::int64_t) { return std::int64_t{0}; });
        shared(
            node, runs::SiteKind::shared_load, kLanes, [](std::int64_t) { return std::int64_t{0}; },
            row_warps_);
      }
    }
  }

  RowShape row_;
  std::int64_t rows_ = 1, row_warps_ = 1;  ///< all rows, or pieces of them; warps of one
};

}  // namespace

std::unique_ptr<LaunchCounter> row_counter(const Program& program, const Plan& plan, const Launch& launch,
                                           const Kernel& kernel, const Extents& extents) {
  return std::make_unique<RowCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
