// Counters of path tensor: a step of one warp is walked, the others are alike.
#include "optimizer/price_fragments.h"
#include "optimizer/tensor.h"

namespace workbook::opt {
namespace {

class TensorCounter final : public FragmentCounter {
 public:
  using FragmentCounter::FragmentCounter;

 private:
  void count() override {
    shape_ = *tensor_shape(program_, plan_, launch_, kernel_);
    const std::int64_t across = divided(extents_[slot(shape_.column)], shape_.columns);
    const std::int64_t down = divided(extents_[slot(shape_.row)], kFragment);
    record_.grid.x = static_cast<std::uint32_t>(across), record_.grid.y = static_cast<std::uint32_t>(down);
    record_.shared_bytes = shape_.bytes(graph_, kernel_);
    blocks_ = across * down;
    steps_ = divided(extents_[slot(shape_.over)], shape_.step);
    first_ = 1.0 / static_cast<double>(std::min(across, down));
    for (std::int64_t warp = 0; warp < kernel_.warps; ++warp) {
      // While steps are still fetched, each is waited for as the part that the stages in flight leave of it.
      const std::int64_t own = steps_ / kernel_.warps + (warp < steps_ % kernel_.warps ? 1 : 0);
      fetching_ += own == 0 ? 0 : 1 + std::max<std::int64_t>(0, own - kernel_.stages);
    }
    count_copies();
    weight_ = blocks_ * steps_;
    chained_ += fetching_ * blocks_;  // loads behind what was copied meanwhile
    if (!shape_.sums.empty() || shape_.in_place()) count_taken();
    count_products();
    weight_ = blocks_;
    count_sums();
    if (shape_.held >= 0) count_held();
    count_results();
    chained_shared_ = chained_;
    counters_->flops += counters_->tensor_flops;
  }

  void count_copies() {
    const auto extent = [&](int index) -> std::int64_t { return extents_[slot(index)]; };
    const std::int64_t over = extent(shape_.over);
    weight_ = blocks_ * steps_;
    bool alone = copy(shape_.left, kFragment, shape_.step, {extent(shape_.row), over, over});
    for (const int vector : shape_.along) alone |= copy(vector, 1, shape_.step, {1, over, over});
    for (const int product : shape_.products) {
      const std::int64_t columns = extent(shape_.across(graph_, product));
      alone |= copy(shape_.right(graph_, product), shape_.step, shape_.width(graph_, product),
                    {over, columns, columns});
    }
    weight_ = blocks_;
    for (const int second : shape_.seconds) {
      const std::int64_t columns = extent(shape_.column);
      copy(shape_.right(graph_, second), shape_.held_tile, shape_.columns,
           {extent(shape_.held), columns, columns});
    }
    if (alone) return;
    const std::int64_t chained = divided(blocks_ * fetching_, kernel_.stages);
    counters_->chained_misses += chained;
    counters_->chained_dram_misses += std::llround(first_ * static_cast<double>(chained));
  }
  /// Whether it goes element by element, and is waited for.
  bool copy(int node, std::int64_t rows, std::int64_t columns, Inside inside) {
    const bool alone = inside.length % 8 != 0;
    const std::int64_t width = alone ? 1 : 8, size = rows * columns / width;
    const auto place = [&](std::int64_t i) {
      return alone ? TilePlace{i / columns, i % columns} : piece_of(i, columns);
    };
    global(
        node, false, size, [&](std::int64_t i) { return inside.place(place(i)); }, width);
    const std::int64_t requests =
        words(node, runs::SiteKind::shared_store, size, 2 * width,
              [&](std::int64_t i) { return 2 * (place(i).row * (columns + kTilePad) + place(i).column); });
    chained_ += requests * weight_;
    if (alone) waits(divided(size, kLanes), 1, 1, first_of(node));
    return alone;
  }

  void count_taken() {
    const std::int64_t rounds = shape_.step / 16, stride = shape_.step + kTilePad;
    const auto of_left = [&](std::int64_t lane) { return 2 * (lane % 16 * stride + lane / 16 * 8); };
    words(shape_.left, runs::SiteKind::shared_load, kLanes, 16, of_left, rounds);
    for (const int vector : shape_.along)
      words(
          vector, runs::SiteKind::shared_load, kLanes, 16, [](std::int64_t lane) { return lane / 16 * 16; },
          rounds);
    if (shape_.in_place()) {
      words(shape_.left, runs::SiteKind::shared_store, kLanes, 16, of_left, rounds);
      chained_ += 2 * rounds * weight_;  // each store, and each load behind one
      counters_->warp_operations += weight_;
    }
    counters_->flops += static_cast<double>(weight_ * kFragment * shape_.step) *
                        static_cast<double>(shape_.taken.size() + shape_.sums.size());
  }

  void count_products() {
    const std::int64_t rounds = shape_.step / kFragment, left = shape_.step + kTilePad;
    for (std::int64_t e = 0; e < kFragmentElements; e += 2)
      words(
          shape_.left, runs::SiteKind::shared_load, kLanes, 4,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return 2 * (at.row * left + at.column);
          },
          rounds);
    counters_->warp_operations += 2 * weight_;
    for (const int product : shape_.products) {
      const std::int64_t width = shape_.width(graph_, product), parts = width / kFragment;
      for (std::int64_t e = 0; e < kFragmentElements; ++e)
        words(
            shape_.right(graph_, product), runs::SiteKind::shared_load, kLanes, 2,
            [&](std::int64_t lane) {
              const TilePlace at = element_of_fragment(lane, e);
              return 2 * (at.column * (width + kTilePad) + at.row);
            },
            rounds * parts);
      counters_->warp_operations += weight_ * rounds * parts;
      counters_->tensor_flops +=
          2.0 * kFragment * kFragment * static_cast<double>(weight_ * shape_.step * parts);
    }
  }

  /// What each warp has added up goes to shared memory.
  void count_sums() {
    counters_->barriers += blocks_;
    for (const int product : shape_.products) {
      const std::int64_t width = shape_.width(graph_, product), parts = width / kFragment;
      for (std::int64_t e = 0; e < kFragmentElements; e += 2)
        words(
            product, runs::SiteKind::shared_store, kLanes, 8,
            [&](std::int64_t lane) {
              const TilePlace at = element_of_fragment(lane, e);
              return 4 * (at.row * (width + kTilePad) + at.column);
            },
            parts * kernel_.warps);
      chained_ += weight_ * parts * kernel_.warps * kFragmentElements / 2;
    }
    for (const int sum : shape_.sums) {
      words(
          sum, runs::SiteKind::shared_store, kFragment, 4, [](std::int64_t lane) { return 4 * lane; },
          kernel_.warps);
      chained_ += weight_ * kernel_.warps;
      counters_->warp_operations += weight_ * kernel_.warps;
    }
  }

  void count_held() {
    const std::int64_t size = std::int64_t{kFragment} * shape_.held_tile;
    const auto place = [&](std::int64_t i) {
      return 4 * (i / shape_.held_tile * (shape_.held_tile + kTilePad) + i % shape_.held_tile);
    };
    counters_->barriers += blocks_;
    for (const int product : shape_.products) {
      if (shape_.across(graph_, product) != shape_.held) continue;
      words(product, runs::SiteKind::shared_load, size, 4, place, kernel_.warps);
      chained_ += 2 * weight_ * words(product, runs::SiteKind::shared_store, size, 4, place);
      counters_->flops += static_cast<double>(weight_ * size * kernel_.warps);
    }
  }

  void count_results() {
    // Rows and columns outside are left out.
    const std::int64_t rows = std::min<std::int64_t>(kFragment, extents_[slot(shape_.row)]);
    const std::int64_t size = rows * shape_.columns, width = shape_.columns + kTilePad;
    const auto row = [&](std::int64_t i) { return i / shape_.columns; };
    const auto column = [&](std::int64_t i) { return i % shape_.columns; };
    const auto of_product = [&](std::int64_t i) { return 4 * (row(i) * width + column(i)); };
    chained_ += weight_ * std::min<std::int64_t>(kernel_.warps, divided(size, kLanes));
    for (const int product : shape_.products)
      if (shape_.across(graph_, product) == shape_.column)
        words(product, runs::SiteKind::shared_load, size, 4, of_product, kernel_.warps);
    for (const int sum : shape_.sums)
      words(
          sum, runs::SiteKind::shared_load, size, 4, [&](std::int64_t i) { return 4 * row(i); },
          kernel_.warps);
    for (const int second : shape_.seconds) {
      words(
          second, runs::SiteKind::shared_load, size, 4,
          [&](std::int64_t i) { return 4 * row(i) * (shape_.held_tile + kTilePad); }, shape_.held_tile);
      words(
          shape_.right(graph_, second), runs::SiteKind::shared_load, size, 2,
          [&](std::int64_t i) { return 2 * column(i); }, shape_.held_tile);
    }
    const auto place = [&](int node, std::int64_t i) {
      std::int64_t at = 0;
      for (const std::uint8_t index : dims_[slot(node)])
        at = at * extents_[index] + (index == shape_.row ? row(i) : column(i));
      return column(i) < extents_[slot(shape_.column)] ? at : -1;
    };
    bool missed = false;
    for (const int node : shape_.reads)
      missed |= global(node, false, size, [&](std::int64_t i) { return place(node, i); });
    if (missed) waits(divided(size, threads_), shape_.reads.size(), kernel_.warps, first_);
    for (const int node : launch_.writes)
      global(node, true, size, [&](std::int64_t i) { return place(node, i); });
    const auto per_element = static_cast<double>(
        shape_.behind.size() + slot(kernel_.warps) * (shape_.products.size() + shape_.sums.size()) +
        shape_.seconds.size() * 2 * slot(shape_.held_tile));
    counters_->flops += static_cast<double>(weight_ * size) * per_element;
  }

  TensorShape shape_;
  std::int64_t steps_ = 0, fetching_ = 0;  ///< of a block; of these, with more to fetch meanwhile or before
  double first_ = 1.0;
};

}  // namespace

std::unique_ptr<LaunchCounter> tensor_counter(const Program& program, const Plan& plan, const Launch& launch,
                                              const Kernel& kernel, const Extents& extents) {
  return std::make_unique<TensorCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
