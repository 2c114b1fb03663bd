// Counters of path turned: one block is walked, the others are alike.
#include "optimizer/forms/turned/shape.h"
#include "optimizer/launch/counter.h"

namespace workbook::opt {
namespace {

class TurnedCounter final : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 private:
  void count() override {
    shape_ = *turned_shape(program_, plan_, launch_, kernel_);
    blocks_ =
        divided(extents_[slot(shape_.in)], shape_.tile) * divided(extents_[slot(shape_.out)], shape_.tile);
    for (const int index : shape_.batch) blocks_ *= extents_[slot(index)];
    record_.grid.x = static_cast<std::uint32_t>(blocks_);
    record_.shared_bytes = shape_.bytes();
    record_.registers =
        32 + 4 * shape_.turns() * static_cast<std::int64_t>(shape_.turned.size() + shape_.packs.size());
    // Whole tiles, and those at the ends, which lack rows, columns or both.
    const std::int64_t in = extents_[slot(shape_.in)], out = extents_[slot(shape_.out)], tile = shape_.tile;
    const std::int64_t others = blocks_ / divided(in, tile) / divided(out, tile);
    for (const auto& [own_in, times_in] : {std::pair{tile, in / tile}, std::pair{in % tile, std::int64_t{1}}})
      for (const auto& [own_out, times_out] :
           {std::pair{tile, out / tile}, std::pair{out % tile, std::int64_t{1}}}) {
        weight_ = others * times_in * times_out;
        own_ = extents_;
        own_[slot(shape_.in)] = static_cast<std::int32_t>(own_in);
        own_[slot(shape_.out)] = static_cast<std::int32_t>(own_out);
        if (own_in > 0 && own_out > 0 && weight_ > 0) count_block();
      }
  }
  void count_block() {
    held_.clear();
    bool missed = false;
    for (const int node : shape_.turned) {
      missed |= rows(node, false, shape_.in, shape_.out);
      tile_accesses(node);
    }
    for (const int node : shape_.packs) missed |= rows(node, false, shape_.out, shape_.in);
    for (const int node : shape_.singles) missed |= single(node);
    if (missed) waits(1, 1, kernel_.warps, 1.0);
    counters_->barriers += weight_;
    for (const int node : launch_.writes) rows(node, true, shape_.out, shape_.in);
    counters_->flops += static_cast<double>(weight_ * own_[slot(shape_.in)] * own_[slot(shape_.out)]) *
                        static_cast<double>(node_list(kernel_.nodes).size());
  }

  std::int64_t place(int node, int one, std::int64_t at, int other, std::int64_t other_at) const {
    std::int64_t place = 0;
    for (const std::uint8_t index : dims_[slot(node)])
      place = place * extents_[index] + (index == one ? at : index == other ? other_at : 0);
    return place;
  }
  /// Packs along `last`, a row for each element of `other`.
  bool rows(int node, bool store, int last, int other) {
    const std::int64_t size = own_[slot(last)], others = own_[slot(other)], vector = shape_.vector;
    const bool whole = extents_[slot(last)] % vector == 0;
    const std::int64_t width = whole ? vector : 1;
    const std::int64_t most = std::max<std::int64_t>(1, 16 / item_bytes(storage_of(program_, plan_, node)));
    bool missed = false;
    for (int i = 0; i < shape_.turns(); ++i)
      for (std::int64_t each = 0; each < (whole ? 1 : vector); ++each)
        for (std::int64_t piece = 0; piece < width; piece += most)
          missed |= global(
              node, store, threads_,
              [&](std::int64_t thread) -> std::int64_t {
                const std::int64_t item = thread + i * threads_;
                std::int64_t row = item / shape_.packs_of_row(),
                             along = item % shape_.packs_of_row() * vector;
                if (store && (row >= others || along + each >= size)) return -1;
                row = std::min(row, others - 1);
                along = std::min(along, std::max<std::int64_t>(0, size - vector));
                return place(node, last, along + each + piece, other, row);
              },
              std::min(most, width));
    return missed;
  }
  bool single(int node) {
    const std::int64_t others = own_[slot(shape_.in)];
    bool missed = false;
    for (int i = 0; i < shape_.turns(); ++i)
      missed |= global(node, false, threads_, [&](std::int64_t thread) {
        const std::int64_t column = (thread + i * threads_) / shape_.packs_of_row();
        return column < others ? place(node, shape_.in, column, -1, 0) : -1;
      });
    return missed;
  }
  void tile_accesses(int node) {
    const std::int64_t packs = shape_.packs_of_row(), vector = shape_.vector, stride = shape_.stride();
    shared(
        node, runs::SiteKind::shared_store, shape_.tile * packs,
        [&](std::int64_t i) { return i / packs * stride + i % packs * vector; }, vector);
    shared(
        node, runs::SiteKind::shared_load, own_[slot(shape_.in)] * packs,
        [&](std::int64_t i) { return i % packs * vector * stride + i / packs; }, vector);
  }

  TurnedShape shape_;
  Extents own_{};  ///< of the tile at work
};

}  // namespace

std::unique_ptr<LaunchCounter> turned_counter(const Program& program, const Plan& plan, const Launch& launch,
                                              const Kernel& kernel, const Extents& extents) {
  return std::make_unique<TurnedCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
