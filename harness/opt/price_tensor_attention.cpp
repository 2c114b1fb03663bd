// Counters of path tensor_attention: a turn of one block is walked, the others are alike.
#include <bit>

#include "opt/price_fragments.h"
#include "opt/tensor_attention.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kMmaFlops = 2 * std::int64_t{kFragment} * kFragment * kFragment;

class AttentionCounter final : public FragmentCounter {
 public:
  using FragmentCounter::FragmentCounter;

 private:
  void count() override {
    shape_ = *attention_shape(program_, plan_, launch_, kernel_);
    rows_ = divided(extent(shape_.row), shape_.rows);
    for (const int index : shape_.batch) rows_ *= extent(index);
    std::int64_t parts = 1, first_rows = 1;
    if (launch_.split >= 0)
      parts = divided(extent(shape_.key),
                      std::int64_t{shape_.keys} * kernel_.cuts[slot(shape_.key)].loop);
    blocks_ = rows_ * parts;
    std::uint32_t* const grid[] = {&record_.grid.x, &record_.grid.y, &record_.grid.z};
    for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis) {
      const int index = shape_.axes[axis];
      *grid[axis] = static_cast<std::uint32_t>(index == shape_.key   ? parts
                                               : index == shape_.row ? divided(extent(index), shape_.rows)
                                                                     : extent(index));
      if (index == shape_.row) first_rows = *grid[axis];
    }
    record_.shared_bytes = shape_.bytes(graph_, kernel_);
    turns_ = rows_ * divided(extent(shape_.key), shape_.keys);
    count_rows(1.0 / static_cast<double>(parts));
    weight_ = turns_;
    count_copies(1.0 / static_cast<double>(first_rows));
    if (shape_.key_matrix >= 0) count_keys();
    count_scores();
    count_weights();
    count_values();
    counters_->barriers += turns_ * (shape_.beside > 1 ? 3 : 1);
    weight_ = blocks_;
    count_sums();
    for (const auto& [tiles, rows] : tiles_of_extent(extent(shape_.row), shape_.rows)) {
      weight_ = blocks_ / divided(extent(shape_.row), shape_.rows) * tiles;
      count_results(false, rows);
      count_results(true, rows);
    }
    chained_shared_ = chained_;
    counters_->flops += counters_->tensor_flops;
  }

  std::int64_t extent(int index) const { return extents_[slot(index)]; }
  /// Whole tiles, and the last one: how many, and what they have.
  static std::vector<std::pair<std::int64_t, std::int64_t>> tiles_of_extent(std::int64_t extent,
                                                                            std::int64_t tile) {
    std::vector<std::pair<std::int64_t, std::int64_t>> tiles;
    if (extent / tile > 0) tiles.emplace_back(extent / tile, tile);
    if (extent % tile > 0) tiles.emplace_back(1, extent % tile);
    return tiles;
  }
  std::int64_t width(int index) const { return shape_.width[slot(index)]; }
  int depth_of(int matrix) const { return graph_.inputs[slot(matrix)].dims.back(); }
  std::int64_t warp_rows() const { return kFragment / shape_.beside; }
  void shuffles(std::int64_t lanes, std::int64_t requests) {
    counters_->warp_operations += weight_ * requests * (std::bit_width(static_cast<std::uint64_t>(lanes)) - 1);
  }
  void per_element(std::int64_t elements, std::size_t operations) {
    counters_->flops += static_cast<double>(weight_ * elements) * static_cast<double>(operations);
  }

  /// Of a fragment's 16 rows in memory, `stride` elements apart: two halves or floats at a time.
  void fragment(int node, const char* kind, std::int64_t stride, std::int64_t item, std::int64_t repeats) {
    for (std::int64_t e = 0; e < kFragmentElements; e += 2)
      words(
          node, kind, kLanes, 2 * item,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return item * (at.row * stride + at.column);
          },
          repeats);
  }

  void count_rows(double first) {
    weight_ = blocks_ * kernel_.warps;
    bool missed = false;
    const std::int64_t last_row = extent(shape_.row) - 1;
    for (const int node : shape_.before_reads) {
      const auto& dims = dims_[slot(node)];
      const int depth = depth_of_row(node);
      const std::int64_t lanes = depth < 0 ? 1 : divided(width(depth), kLanes);
      for (std::int64_t row = 0; row < warp_rows(); ++row)
        for (std::int64_t j = 0; j < lanes; ++j)
          missed |= global(node, false, kLanes, [&](std::int64_t lane) {
            std::int64_t at = 0;
            for (const std::uint8_t index : dims) {
              const std::int64_t own = index == shape_.row ? std::min(row, last_row)
                                       : index == depth    ? std::min(lane + kLanes * j, extent(index) - 1)
                                                           : 0;
              at = at * extents_[index] + own;
            }
            return at;
          });
    }
    // Unrolled: all are on their way together. (The simulator sees rounds of a loop, and takes four together.)
    if (missed) waits(1, 1, 1, first);
    for (const int node : shape_.before) {
      const Node& op = graph_.nodes[slot(node)];
      const int depth = op.op == Op::sum ? op.over : depth_of_row(node);
      per_element(warp_rows() * (depth < 0 ? 1 : width(depth)), 1);
      if (op.op == Op::sum) shuffles(kLanes, warp_rows());
    }
    const auto stored = [&](int node, std::int64_t columns, std::int64_t bytes) {
      const std::int64_t repeats = warp_rows() * divided(columns, kLanes);
      words(
          node, "shared store", std::min(kLanes, columns), bytes,
          [&](std::int64_t lane) { return bytes * lane; }, repeats);
      chained_ += weight_ * repeats;
    };
    std::vector<int> lefts;
    for (const auto& product : shape_.products)
      if (!listed(lefts, product.left)) {
        lefts.push_back(product.left);
        stored(product.left, width(product.depth), 2);
      }
    const auto same = [](std::int64_t) { return std::int64_t{0}; };
    for (const int node : shape_.kept_rows(graph_)) stored(node, 1, 4);
    for (const int node : shape_.factors(graph_, false, true)) stored(node, 1, 4);
    for (const bool inverse : {false, true})
      for (const int node : shape_.factors(graph_, false, inverse)) words(node, "shared load", kLanes, 4, same);
    if (shape_.in_registers()) {
      const auto& product = shape_.products.front();
      fragment(product.left, "shared load", width(product.depth) + kTilePad, 2, shape_.left_parts);
    }
    chained_ += weight_;
    if (shape_.beside > 1)
      counters_->barriers += blocks_;
    else
      counters_->warp_operations += weight_;
  }
  int depth_of_row(int node) const {
    for (const int index : members(shapes_[slot(node)]))
      if (index != shape_.row && !listed(shape_.batch, index)) return index;
    return -1;
  }

  void count_copies(double first) {
    bool alone = false;
    for (const int node : shape_.tiles) {
      const std::int64_t columns = width(depth_of(node));
      const std::int64_t length = extent(depth_of(node));
      const bool each = length % 8 != 0;
      const std::int64_t at_once = each ? 1 : 8, size = shape_.keys * columns / at_once;
      const auto place = [&](std::int64_t i) { return TilePlace{i * at_once / columns, i * at_once % columns}; };
      for (const auto& [turns, keys] : tiles_of_extent(extent(shape_.key), shape_.keys)) {
        const Inside inside{keys, length, length};
        weight_ = rows_ * turns;
        global(
            node, false, size, [&](std::int64_t i) { return inside.place(place(i)); }, at_once);
      }
      weight_ = turns_;
      chained_ += weight_ * words(node, "shared store", size, 2 * at_once, [&](std::int64_t i) {
                    return 2 * (place(i).row * (columns + kTilePad) + place(i).column);
                  });
      if (each) waits(divided(size, kLanes), 1, 1, first);
      alone |= each;
    }
    if (alone) return;
    // While turns are still fetched, each is waited for as the part that the stages in flight leave of it.
    const std::int64_t ahead = kernel_.stages - 1, own = divided(turns_, blocks_);
    const std::int64_t fetching = 1 + std::max<std::int64_t>(0, own - ahead);
    const std::int64_t chained = divided(blocks_ * fetching * kernel_.warps, ahead);
    counters_->chained_misses += chained;
    counters_->chained_dram_misses += std::llround(first * static_cast<double>(chained));
  }

  void count_keys() {
    const int matrix = shape_.key_matrix;
    const std::int64_t columns = width(depth_of(matrix)), pieces = shape_.keys * columns / 8;
    const std::int64_t requests = divided(pieces, kLanes), lanes = columns / 8;
    words(matrix, "shared load", pieces, 16, [&](std::int64_t i) {
      return 2 * (i * 8 / columns * (columns + kTilePad) + i * 8 % columns);
    });
    shuffles(lanes, requests * static_cast<std::int64_t>(shape_.key_sums.size()));
    counters_->warp_operations += weight_ * kernel_.warps;
    const std::int64_t rows = std::max<std::int64_t>(1, kLanes / lanes);
    for (const bool inverse : {false, true})
      for (const int node : shape_.factors(graph_, true, inverse)) {
        words(
            node, "shared store", rows, 4, [](std::int64_t lane) { return 4 * lane; }, requests);
        chained_ += weight_ * requests;
      }
    chained_ += weight_ * requests;
    per_element(shape_.keys * columns, shape_.key_elements.size() + shape_.key_sums.size());
    per_element(requests * kLanes, shape_.key_values.size() + 1);
  }

  void count_scores() {
    const std::int64_t groups = shape_.rows / kFragment, parts = shape_.keys / kFragment;
    for (const auto& product : shape_.products) {
      const std::int64_t steps = width(product.depth) / kFragment, stride = width(product.depth) + kTilePad;
      const std::int64_t multiplied = groups * parts * steps;
      fragment(product.right, "shared load", stride, 2, multiplied);
      if (!shape_.in_registers()) fragment(product.left, "shared load", stride, 2, multiplied);
      multiply(multiplied);
    }
    const std::int64_t stored = groups * parts * shape_.shares();
    fragment(shape_.score, "shared store", shape_.keys + kTilePad, 4, stored);
    chained_ += weight_ * (stored * kFragmentElements / 2 + kernel_.warps);
    if (shape_.beside == 1) counters_->warp_operations += 2 * weight_ * kernel_.warps;
  }
  void multiply(std::int64_t times) {
    counters_->warp_operations += weight_ * times;
    counters_->tensor_flops += static_cast<double>(weight_ * times * kMmaFlops);
  }

  /// Four elements of a row a lane, `lanes` of them a row.
  void count_weights() {
    const std::int64_t lanes = shape_.lanes(), fours = shape_.own_keys() / 4;
    const std::int64_t stride = shape_.keys + kTilePad;
    const auto of_row = [&](std::int64_t lane) { return lane / lanes * stride + lane % lanes * 4; };
    words(
        shape_.score, "shared load", kLanes, 16, [&](std::int64_t lane) { return 4 * of_row(lane); },
        kernel_.warps * fours * shape_.shares());
    std::size_t factors = 0;
    for (const bool inverse : {false, true})
      for (const int node : shape_.factors(graph_, true, inverse)) {
        words(
            node, "shared load", kLanes, 16, [&](std::int64_t lane) { return lane % lanes * 16; },
            kernel_.warps * fours);
        ++factors;
      }
    shuffles(lanes, kernel_.warps);
    words(
        shape_.weight, "shared store", kLanes, 8, [&](std::int64_t lane) { return 2 * of_row(lane); },
        kernel_.warps * fours);
    // The first 16 elements of each row.
    const std::int64_t filling = std::min<std::int64_t>(lanes, 4), fills = kFragment / 4 / filling;
    words(
        shape_.score, "shared store", kLanes / lanes * filling, 16,
        [&](std::int64_t i) { return 4 * (i / filling * stride + i % filling * 4); }, kernel_.warps * fills);
    chained_ += weight_ * kernel_.warps * (1 + fours + fills);
    // Guarded, compared, less the maximum, exp, rounded.
    per_element(shape_.rows * shape_.keys, shape_.scaled.size() + shape_.sums.size() + 8);
  }

  void count_values() {
    const std::int64_t groups = shape_.rows / kFragment, steps = shape_.keys / kFragment;
    const std::int64_t columns = width(shape_.column), parts = shape_.column_parts();
    fragment(shape_.score, "shared load", shape_.keys + kTilePad, 4, kernel_.warps);
    per_element(shape_.rows * columns, 1);
    fragment(shape_.weight, "shared load", shape_.keys + kTilePad, 2, kernel_.warps * steps);
    for (std::int64_t e = 0; e < kFragmentElements; ++e)
      words(
          shape_.values, "shared load", kLanes, 2,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return 2 * (at.column * (columns + kTilePad) + at.row);
          },
          kernel_.warps * steps * parts);
    multiply(groups * shape_.beside * steps * parts);
    chained_ += weight_ * kernel_.warps;
  }

  void count_sums() {
    counters_->barriers += 2 * blocks_;
    const std::int64_t columns = width(shape_.column), stored = kernel_.warps * shape_.column_parts();
    fragment(shape_.product, "shared store", columns + kTilePad, 4, stored);
    shuffles(shape_.lanes(), kernel_.warps * static_cast<std::int64_t>(shape_.sums.size()));
    std::vector<int> numbers = shape_.sums;
    numbers.push_back(launch_.running);
    for (const int node : numbers)
      words(
          node, "shared store", kLanes / shape_.lanes(), 4, [](std::int64_t lane) { return 4 * lane; },
          kernel_.warps);
    chained_ += weight_ * (stored * kFragmentElements / 2 +
                           kernel_.warps * static_cast<std::int64_t>(numbers.size()));
  }

  /// Of blocks with so many rows; columns outside are left out.
  void count_results(bool columns, std::int64_t rows) {
    const auto wide = [&](int node) { return has(shapes_[slot(node)], shape_.column); };
    std::vector<int> written;
    for (const int node : launch_.writes)
      if (wide(node) == columns) written.push_back(node);
    if (written.empty()) return;
    std::vector<int> needed = written;
    for (auto of = shape_.behind.rbegin(); of != shape_.behind.rend(); ++of)
      if (listed(needed, *of))
        for (const int from : {int{graph_.nodes[slot(*of)].a}, int{graph_.nodes[slot(*of)].b}})
          if (from >= 0 && !listed(needed, from)) needed.push_back(from);
    const std::int64_t across = columns ? width(shape_.column) : 1, size = rows * across;
    const auto place = [&](int node, std::int64_t i) {
      std::int64_t at = 0;
      for (const std::uint8_t index : dims_[slot(node)])
        at = at * extents_[index] + (index == shape_.row ? i / across
                                     : index == shape_.column ? i % across : 0);
      return !columns || i % across < extent(shape_.column) ? at : -1;
    };
    bool missed = false;
    for (const int node : needed) {
      if (is_constant(plan_, node) || listed(shape_.behind, node)) continue;
      if (listed(shape_.behind_reads, node)) {
        missed |= global(node, false, size, [&](std::int64_t i) { return place(node, i); });
        continue;
      }
      const std::int64_t stride = node == shape_.product ? across + kTilePad : 1;
      words(node, "shared load", size, 4, [&](std::int64_t i) {
        return 4 * (i / across * stride + (node == shape_.product ? i % across : 0));
      });
    }
    chained_ += weight_ * std::min<std::int64_t>(kernel_.warps, divided(size, kLanes));
    if (missed) waits(divided(size, threads_), shape_.behind_reads.size(), kernel_.warps, 1.0);
    for (const int node : written)
      global(node, true, size, [&](std::int64_t i) { return place(node, i); });
    per_element(size, shape_.behind.size());
  }

  AttentionShape shape_;
  std::int64_t rows_ = 1, turns_ = 1;  ///< blocks for all rows; turns of all blocks
};

}  // namespace

std::unique_ptr<LaunchCounter> attention_counter(const Program& program, const Plan& plan,
                                                 const Launch& launch, const Kernel& kernel,
                                                 const Extents& extents) {
  return std::make_unique<AttentionCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
