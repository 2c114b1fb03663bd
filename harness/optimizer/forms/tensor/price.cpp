// Counters of path tensor: a step of one warp is walked, the others are alike.
#include "clock/model.h"
#include "optimizer/forms/tensor/shape.h"
#include "optimizer/launch/fragments.h"
#include "optimizer/plan/halves.h"

namespace workbook::opt {
namespace {

/// What an H200 said of 336 cuts of path tensor_groups. Of a step, besides kGroupClocks: what begins and ends
/// it; the least, however few products; and from a copy's begin until it is there.
constexpr double kStepClocks = 100, kLeastStepClocks = 416, kCopyClocks = 1750;
/// Bytes that are sent to other blocks of a cluster while one load from there is waited for.
constexpr std::int64_t kSentTogether = 3400;

class TensorCounter final : public FragmentCounter {
 public:
  using FragmentCounter::FragmentCounter;

 private:
  void count() override {
    shape_ = *tensor_shape(program_, plan_, launch_, kernel_);
    const std::int64_t across = divided(extents_[slot(shape_.column)], shape_.columns);
    const std::int64_t down = divided(shape_.extent(TileAxis::row, extents_), shape_.row_tile);
    std::int64_t batch = 1;
    for (const int index : shape_.batch) batch *= extents_[slot(index)];
    const std::int64_t steps = divided(extents_[slot(shape_.over)], shape_.step);
    if (shape_.in_parts) batch = divided(steps, kernel_.cuts[slot(shape_.over)].loop);
    record_.grid.x = static_cast<std::uint32_t>(across), record_.grid.y = static_cast<std::uint32_t>(down);
    batch *= shape_.cluster;
    record_.grid.z = static_cast<std::uint32_t>(batch);
    record_.shared_bytes = shape_.bytes(kernel_);
    if (shape_.shared_ring() || shape_.in_registers)
      record_.registers = held_registers(shape_.words(kernel_));
    blocks_ = across * down * batch;
    steps_ = shape_.in_parts ? kernel_.cuts[slot(shape_.over)].loop : divided(steps, shape_.cluster);
    first_ = 1.0 / static_cast<double>(std::min(across, down));
    groups_ = shape_.groups(kernel_);
    down_ = shape_.down(kernel_);
    rows_ = shape_.row_tile;
    if (shape_.in_registers)
      count_loads();
    else if (shape_.by_groups)
      count_groups();
    else
      count_rings();
    weight_ = blocks_ * steps_;
    counters_->flops += static_cast<double>(weight_ * rows_ * shape_.step) *
                        static_cast<double>(shape_.taken.size() + shape_.sums.size());
    count_products();
    weight_ = blocks_;
    if (shape_.shared_ring()) {
      if (!shape_.by_groups && shape_.sums.empty() &&
          !shape_.in_place()) {  // a slice is loaded before the first step, and one behind the last
        counters_->barriers += blocks_;
        count_slices(1);
      }
      count_block_results();
    } else {
      count_sums();
      if (shape_.held >= 0) count_held();
      count_results();
    }
    chained_shared_ = chained_;
    counters_->flops += counters_->tensor_flops;
  }

  /// What a step of a warp takes, all of it on its way together. Rows outside are the last one again.
  void count_loads() {
    weight_ = blocks_ * steps_;
    const std::int64_t over = extents_[slot(shape_.over)];
    bool whole = over % shape_.step == 0;
    for (const TileMatrix& right : shape_.rights)
      whole = whole && (TensorShape::is_turned(right) || extents_[slot(shape_.column)] % 8 == 0);
    load_pieces(shape_.left.node, 2, whole, inside_of(shape_.left), true);
    for (const TileMatrix& right : shape_.rights)
      load_pieces(right.node, shape_.columns / 8, whole, inside_of(right), TensorShape::is_turned(right));
    for (const int vector : shape_.along) load_pieces(vector, 1, whole, {8, over, 0}, true);
    waits(2, 2, 1, first_);  // the left matrix, which others had before, and the rest
  }
  Inside inside_of(const TileMatrix& matrix) const {
    return {shape_.extent(matrix.outer, extents_), shape_.extent(matrix.inner, extents_),
            shape_.stride(matrix, dims_[slot(matrix.node)], extents_)};
  }
  void count_rings() {
    for (std::int64_t ring = 0; ring < groups_; ++ring) {
      // While steps are still fetched, each is waited for as the part that the stages in flight leave of it.
      const std::int64_t own = steps_ / groups_ + (ring < steps_ % groups_ ? 1 : 0);
      const std::int64_t ahead = kernel_.stages - (shape_.shared_ring() ? 1 : 0);
      fetching_ += own == 0 ? 0 : 1 + std::max<std::int64_t>(0, own - ahead);
    }
    if (shape_.shared_ring()) fetching_ *= kernel_.warps;
    count_copies();
    weight_ = blocks_ * steps_;
    chained_ += fetching_ * blocks_;  // loads behind what was copied meanwhile
    if (!shape_.sums.empty() || shape_.in_place()) count_taken();
  }
  /// A step takes as long as its products, or as copies that began some steps before it.
  void count_groups() {
    weight_ = std::llround(kCopiedShare * static_cast<double>(blocks_ * steps_));
    copy_by_gpu(shape_.left);
    for (const TileMatrix& right : shape_.rights) copy_by_gpu(right);
    weight_ = blocks_;
    waits(1, 2, kernel_.warps, first_);
    double products = 0;
    for (std::size_t i = 0; i < shape_.products.size(); ++i)
      products += static_cast<double>(rows_ * shape_.step) * shape_.width(i);
    const double clocks = std::max(
        {kGroupClocks * products + kStepClocks, kLeastStepClocks, kCopyClocks / (kernel_.stages - 1)});
    counters_->warp_operations += std::llround(static_cast<double>(blocks_ * kernel_.warps * steps_) *
                                               clocks / sim::ModelConstants{}.warp_operation_clocks);
  }
  void copy_by_gpu(const TileMatrix& matrix) {
    const std::int64_t rows = shape_.tile(matrix.outer), columns = shape_.tile(matrix.inner), piece = 8;
    const Inside inside = inside_of(matrix);
    global(
        matrix.node, false, rows * columns / piece,
        [&](std::int64_t i) {
          return inside.place({i * piece / columns, i * piece % columns});
        },
        piece);
  }
  void load_pieces(int node, std::int64_t parts, bool whole, Inside inside, bool by_rows) {
    const auto piece = [&](std::int64_t i) {
      const std::int64_t part = i / kLanes % parts, slice = i / kLanes / parts * kSlice, lane = i % kLanes;
      TilePlace at = by_rows ? TilePlace{lane / 4 + 8 * part, slice + lane % 4 * 8}
                             : TilePlace{slice + lane % 4 * 8 + part % 8, part / 8 * 64 + lane / 4 * 8};
      if (whole) at = {std::min(at.row, inside.rows - 1), std::min(at.column, inside.columns - 8)};
      return inside.place(at);
    };
    for (std::int64_t e = 0; e < (whole ? 1 : 8); ++e)
      global(
          node, false, parts * shape_.slices() * kLanes,
          [&](std::int64_t i) { return piece(i) < 0 ? -1 : piece(i) + e; }, whole ? 8 : 1);
  }
  void count_copies() {
    weight_ = blocks_ * steps_;
    bool alone = copy(shape_.left);
    for (const int vector : shape_.along) {
      const std::int64_t over = extents_[slot(shape_.over)];
      alone |= copy(vector, 1, shape_.step, {1, over, over});
    }
    for (const TileMatrix& right : shape_.rights) alone |= copy(right);
    weight_ = blocks_;
    for (const int second : shape_.second_rights) copy({second, TileAxis::held, TileAxis::column});
    if (alone) return;
    const std::int64_t ahead = kernel_.stages - (shape_.shared_ring() ? 1 : 0);
    const std::int64_t chained = divided(blocks_ * fetching_, ahead);
    counters_->chained_misses += chained;
    counters_->chained_dram_misses += std::llround(first_ * static_cast<double>(chained));
  }
  bool copy(const TileMatrix& matrix) {
    return copy(matrix.node, shape_.tile(matrix.outer), shape_.tile(matrix.inner), inside_of(matrix));
  }
  int item_of(int node) const { return node == shape_.left.node ? shape_.left_item() : 2; }
  /// Whether it goes element by element, and is waited for.
  bool copy(int node, std::int64_t rows, std::int64_t columns, Inside inside) {
    const std::int64_t item = item_of(node), piece = 16 / item;
    const bool alone = inside.length % piece != 0 || inside.columns % piece != 0;
    const std::int64_t width = alone ? 1 : piece, size = rows * columns / width;
    const auto place = [&](std::int64_t i) {
      return alone ? TilePlace{i / columns, i % columns} : piece_of(i, columns, item);
    };
    global(
        node, false, size, [&](std::int64_t i) { return inside.place(place(i)); }, width);
    const std::int64_t requests =
        words(node, runs::SiteKind::shared_store, size, item * width,
              [&](std::int64_t i) { return item * (place(i).row * (columns + kTilePad) + place(i).column); });
    chained_ += requests * weight_;
    if (alone) waits(divided(size, kLanes), 1, 1, first_of(node));
    return alone;
  }

  void count_taken() {
    const std::int64_t stride = shape_.step + kTilePad, pieces = rows_ * shape_.step / 8;
    const auto of_left = [&](std::int64_t i) { return 2 * (i % rows_ * stride + i / rows_ * 8); };
    words(shape_.left.node, runs::SiteKind::shared_load, pieces, 16, of_left);
    for (const int vector : shape_.along)
      words(vector, runs::SiteKind::shared_load, pieces, 16, [&](std::int64_t i) { return i / rows_ * 16; });
    if (shape_.in_place()) {
      words(shape_.left.node, runs::SiteKind::shared_store, pieces, 16, of_left);
      chained_ += 2 * divided(pieces, kLanes) * weight_;  // each store, and each load behind one
      if (shape_.shared_ring())
        counters_->barriers += weight_;
      else
        counters_->warp_operations += weight_;
    }
  }

  /// Loads of fragments: two neighbours at a time where these lie in memory so, else one by one.
  void fragments(const TileMatrix& matrix, bool neighbours, std::int64_t times) {
    const std::int64_t stride = shape_.tile(matrix.inner) + kTilePad;
    if (item_of(matrix.node) == 4) return floats_of(matrix.node, stride, neighbours, times);
    if (shape_.by_words()) return words_of(matrix.node, stride, times);
    for (std::int64_t e = 0; e < kFragmentElements; e += neighbours ? 2 : 1)
      words(
          matrix.node, runs::SiteKind::shared_load, kLanes, neighbours ? 4 : 2,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return 2 * (neighbours ? at.row * stride + at.column : at.column * stride + at.row);
          },
          times);
  }

  /// Slices of a block's steps, 16 elements each of the index that is summed away.
  void count_slices(std::int64_t slices) {
    fragments(shape_.left, !shape_.left_is_turned(), slices * rows_ / kFragment * shape_.beside);
    // A warp asks whether its slice has numbers that are too large for half; as a rule it has none.
    if (shape_.left_is_float && tensor_type(program_, plan_) == Storage::f16)
      counters_->warp_operations += weight_ * slices * down_ * shape_.beside;
    for (std::size_t i = 0; i < shape_.products.size(); ++i)
      fragments(shape_.rights[i], TensorShape::is_turned(shape_.rights[i]),
                slices * shape_.width(i) / kFragment * down_);
  }

  void count_products() {
    for (std::size_t i = 0; i < shape_.products.size(); ++i)
      counters_->tensor_flops +=
          2.0 * kFragment *
          static_cast<double>(weight_ * rows_ * shape_.step * (shape_.width(i) / kFragment));
    if (shape_.by_groups) return;  // count_groups() has the rest
    const std::int64_t rounds = shape_.step / kFragment, row_parts = rows_ / kFragment;
    if (!shape_.in_registers) count_slices(rounds);
    if (shape_.shared_ring())
      counters_->barriers += weight_;
    else
      counters_->warp_operations += (shape_.in_registers ? 1 : 2) * weight_;
    for (std::size_t i = 0; i < shape_.products.size(); ++i)
      counters_->warp_operations += weight_ * rounds * (shape_.width(i) / kFragment) * row_parts;
  }

  /// What each warp has added up goes to shared memory.
  void count_sums() {
    counters_->barriers += blocks_;
    for (std::size_t i = 0; i < shape_.products.size(); ++i) {
      const std::int64_t width = shape_.width(i), parts = width / kFragment * (rows_ / kFragment) * groups_;
      for (std::int64_t e = 0; e < kFragmentElements; e += 2)
        words(
            shape_.products[i], runs::SiteKind::shared_store, kLanes, 8,
            [&](std::int64_t lane) {
              const TilePlace at = element_of_fragment(lane, e);
              return 4 * (at.row * (width + kTilePad) + at.column);
            },
            parts);
      chained_ += weight_ * parts * kFragmentElements / 2;
    }
    for (const int sum : shape_.sums) {
      // Two lanes have a row's elements; without a ring four of one row, and of the one 8 below.
      const std::int64_t stores = kernel_.warps * (shape_.in_registers ? 2 : 1);
      words(
          sum, runs::SiteKind::shared_store, shape_.in_registers ? 8 : kFragment, 4,
          [](std::int64_t lane) { return 4 * lane; }, stores);
      chained_ += weight_ * stores;
      counters_->warp_operations += weight_ * stores * (shape_.in_registers ? 2 : 1);
    }
  }

  void count_held() {
    const std::int64_t size = rows_ * shape_.held_tile;
    const auto place = [&](std::int64_t i) {
      return 4 * (i / shape_.held_tile * (shape_.held_tile + kTilePad) + i % shape_.held_tile);
    };
    counters_->barriers += blocks_;
    for (std::size_t p = 0; p < shape_.products.size(); ++p) {
      if (shape_.across(p) != TileAxis::held) continue;
      const int product = shape_.products[p];
      words(product, runs::SiteKind::shared_load, size, 4, place, groups_);
      chained_ += 2 * weight_ * words(product, runs::SiteKind::shared_store, size, 4, place);
      counters_->flops += static_cast<double>(weight_ * size * groups_);
    }
  }

  std::int64_t place_of(int node, std::int64_t row, std::int64_t column) const {
    std::int64_t at = 0;
    std::array<std::int64_t, kMaxIndices> of{};
    for (std::size_t r = shape_.rows.size(); r-- > 1; row /= extents_[slot(shape_.rows[r])])
      of[slot(shape_.rows[r])] = row % extents_[slot(shape_.rows[r])];
    if (!shape_.rows.empty()) of[slot(shape_.rows.front())] = row;
    of[slot(shape_.column)] = column;
    for (const std::uint8_t index : dims_[slot(node)]) at = at * extents_[index] + of[index];
    return column < extents_[slot(shape_.column)] ? at : -1;
  }

  /// What blocks of a cluster send each other.
  void count_cluster() {
    const std::int64_t sent = rows_ * shape_.columns * 4 * static_cast<std::int64_t>(shape_.products.size());
    counters_->cluster_barriers += 2 * blocks_;
    counters_->remote_requests += blocks_ * sent / 128;
    counters_->chained_remote += blocks_ * kernel_.warps * sent / kSentTogether;
    for (const auto kind : {runs::SiteKind::shared_store, runs::SiteKind::shared_load})
      words(shape_.products.front(), kind, sent / 16, 16, [](std::int64_t i) { return 16 * i; });
  }

  /// Where all warps share a ring: results are made in registers, and go through shared memory.
  void count_block_results() {
    counters_->barriers += blocks_ * (1 + (shape_.stored.empty() ? 0 : 1));
    const std::int64_t rows = rows_, columns = shape_.own_columns(), lines = rows * columns / 8 / 8;
    if (shape_.cluster > 1) count_cluster();
    for (const int sum : shape_.sums) {
      words(
          sum, runs::SiteKind::shared_store, kLanes, 4, [](std::int64_t lane) { return 4 * lane; },
          kernel_.warps);
      words(
          sum, runs::SiteKind::shared_load, kLanes, 4, [](std::int64_t lane) { return 4 * (lane / 4); },
          shape_.takers(kernel_) / rows * rows / 8 * shape_.beside);
      chained_ += 2 * weight_ * kernel_.warps;
    }
    // Of a request's 64 elements a lane has two neighbours: eight rows of eight columns.
    bool missed = false;
    for (const int node : shape_.reads)
      for (int j = 0; j < 2; ++j)
        missed |= global(node, false, lines * kLanes, [&](std::int64_t i) {
          const std::int64_t request = i / kLanes, lane = i % kLanes;
          const std::int64_t row = request / (columns / 8) * 8 + lane / 4;
          return place_of(node, std::min(row, shape_.extent(TileAxis::row, extents_) - 1),
                          std::min<std::int64_t>(request % (columns / 8) * 8 + lane % 4 * 2 + j,
                                                 extents_[slot(shape_.column)] - 1));
        });
    if (missed) waits(divided(rows * columns, threads_), shape_.reads.size(), kernel_.warps, first_);
    for (const TensorShape::Stored& each : shape_.stored) {
      const bool turned = each.matrix.inner == TileAxis::row;
      const std::int64_t inner = turned ? rows : columns, stride = inner + kTilePad, piece = 16 / each.item;
      const std::int64_t together = turned ? 1 : 2;
      for (int j = 0; j < 2 / together; ++j)
        words(
            each.matrix.node, runs::SiteKind::shared_store, kLanes, each.item * together,
            [&](std::int64_t lane) {
              const std::int64_t row = lane / 4, column = lane % 4 * 2 + j;
              return each.item * (turned ? column * stride + row : row * stride + column);
            },
            lines);
      chained_ += weight_ * lines * 2 / together;
      const std::int64_t length = shape_.extent(each.matrix.inner, extents_);
      const std::int64_t at_once = length % piece == 0 ? piece : 1;
      const std::int64_t there =
          std::min(turned ? columns : rows, shape_.extent(each.matrix.outer, extents_));
      words(each.matrix.node, runs::SiteKind::shared_load, rows * columns / at_once, each.item * at_once,
            [&](std::int64_t i) { return each.item * (i * at_once / inner * stride + i * at_once % inner); });
      chained_ += weight_ * kernel_.warps;
      global(
          each.matrix.node, true, rows * columns / at_once,
          [&](std::int64_t i) {
            const std::int64_t out = i * at_once / inner, in = i * at_once % inner;
            if (out >= there || in >= length) return std::int64_t{-1};
            return turned ? place_of(each.matrix.node, in, out) : place_of(each.matrix.node, out, in);
          },
          at_once);
    }
    for (const int node : launch_.writes)
      if (std::none_of(shape_.stored.begin(), shape_.stored.end(),
                       [&](const auto& each) { return each.matrix.node == node; }))
        global(node, true, rows * columns, [&](std::int64_t i) {
          const std::int64_t request = i / kLanes, lane = i % kLanes;
          return place_of(node, request / (columns / 4) * 8 + lane / 4,
                          request % (columns / 4) / 2 * 8 + lane % 4 * 2 + request % 2);
        });
    counters_->flops += static_cast<double>(weight_ * rows * columns) *
                        static_cast<double>(shape_.behind.size() + shape_.sums.size());
  }

  void count_results() {
    // Rows and columns outside are left out.
    std::int64_t rows = std::min(rows_, shape_.extent(TileAxis::row, extents_));
    const bool rows_fastest = shape_.is_along(TileAxis::row, dims_[slot(launch_.writes.front())].back());
    // Of many rows that read nothing else, those of a fragment are walked for all.
    if (!rows_fastest && shape_.reads.empty() && rows % kFragment == 0) {
      weight_ *= rows / kFragment;
      rows = kFragment;
    }
    const std::int64_t size = rows * shape_.columns, width = shape_.columns + kTilePad;
    const auto row = [&](std::int64_t i) { return rows_fastest ? i % rows : i / shape_.columns; };
    const auto column = [&](std::int64_t i) { return rows_fastest ? i / rows : i % shape_.columns; };
    const auto of_product = [&](std::int64_t i) { return 4 * (row(i) * width + column(i)); };
    chained_ += blocks_ * std::min<std::int64_t>(kernel_.warps, divided(size, kLanes));
    for (std::size_t p = 0; p < shape_.products.size(); ++p)
      if (shape_.across(p) == TileAxis::column)
        words(shape_.products[p], runs::SiteKind::shared_load, size, 4, of_product, groups_);
    for (const int sum : shape_.sums)
      words(
          sum, runs::SiteKind::shared_load, size, 4, [&](std::int64_t i) { return 4 * row(i); }, groups_);
    for (std::size_t second = 0; second < shape_.seconds.size(); ++second) {
      words(
          shape_.seconds[second], runs::SiteKind::shared_load, size, 4,
          [&](std::int64_t i) { return 4 * row(i) * (shape_.held_tile + kTilePad); }, shape_.held_tile);
      words(
          shape_.second_rights[second], runs::SiteKind::shared_load, size, 2,
          [&](std::int64_t i) { return 2 * column(i); }, shape_.held_tile);
    }
    const auto place = [&](int node, std::int64_t i) { return place_of(node, row(i), column(i)); };
    bool missed = false;
    for (const int node : shape_.reads)
      missed |= global(node, false, size, [&](std::int64_t i) { return place(node, i); });
    if (missed) waits(divided(size, threads_), shape_.reads.size(), kernel_.warps, first_);
    for (const int node : launch_.writes)
      global(node, true, size, [&](std::int64_t i) { return place(node, i); });
    const auto per_element = static_cast<double>(shape_.behind.size() +
                                                 static_cast<std::size_t>(groups_) *
                                                     (shape_.products.size() + shape_.sums.size()) +
                                                 shape_.seconds.size() * 2 * slot(shape_.held_tile));
    counters_->flops += static_cast<double>(weight_ * size) * per_element;
  }

  TensorShape shape_;
  std::int64_t groups_ = 1, down_ = 1, rows_ = kFragment;  ///< rings; warps below each other; rows of a tile
  std::int64_t steps_ = 0, fetching_ = 0;  ///< of a block; of these, with more to fetch meanwhile or before
  double first_ = 1.0;
};

}  // namespace

std::unique_ptr<LaunchCounter> tensor_counter(const Program& program, const Plan& plan, const Launch& launch,
                                              const Kernel& kernel, const Extents& extents) {
  return std::make_unique<TensorCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
