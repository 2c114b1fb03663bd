#include "optimizer/forms/tensor/shape.h"

#include <algorithm>

#include "optimizer/graph/ranges.h"
#include "optimizer/launch/finder.h"
#include "optimizer/plan/halves.h"

namespace workbook::opt {
namespace {

class Finder : public LaunchFinder {
 public:
  using LaunchFinder::LaunchFinder;

  std::optional<TensorShape> run() {
    if (launch_.writes.empty() || !find_sums()) return std::nullopt;
    if (launch_.split >= 0 && launch_.split != over_) return std::nullopt;
    // The last index of what is written makes the columns, where that can be: neighbours are stored together.
    const std::vector<std::uint8_t> order = dims(launch_.writes.front());
    for (auto column = order.rbegin(); column != order.rend(); ++column) {
      shape_ = {};
      rights_ = 0;
      if (run_with(*column)) return shape_;
    }
    return std::nullopt;
  }
  std::optional<TensorShape> run_with_tiles() {
    const auto found = run();
    return found && find_tiles() ? std::optional(shape_) : std::nullopt;
  }

 private:
  IndexSet whole() const { return set(launch_.writes.front()); }
  static IndexSet all_of(const std::vector<int>& indices) {
    IndexSet all = 0;
    for (const int index : indices) all |= only(index);
    return all;
  }
  IndexSet row_set() const { return static_cast<IndexSet>(all_of(shape_.rows) | all_of(shape_.batch)); }
  /// In memory, in one piece.
  bool is_matrix(int number) const {
    return !computed(number) && !is_constant(plan_, number) && !is_made(plan_, number) && !in_parts(number);
  }
  bool is_half(int number) const {
    return is_matrix(number) && storage_of(program_, plan_, number) == tensor_type(program_, plan_);
  }
  /// Of float, and may be rounded as halves are: an earlier launch's, or the result has 16 bits, too.
  bool is_float(int number) const {
    return is_matrix(number) && storage_of(program_, plan_, number) == Storage::f32 &&
           (slot(number) < graph_.inputs.size() ? item_bytes(program_.output_storage) == 2
                                                : stays_before(number));
  }
  /// Made of products or exp. What else there is before a product is better taken in place, or comes behind
  /// it: a launch of rows before it costs more than the clock has it cost.
  bool stays_before(int number) const {
    const Node& op = node(number);
    if (op.op == Op::input) return false;
    return op.op == Op::matmul || op.op == Op::exp || stays_before(op.a) || (op.b >= 0 && stays_before(op.b));
  }
  /// A product of a product that the launch computes.
  bool is_second(int number) const {
    const auto first = [&](int of) { return computed(of) && node(of).op == Op::matmul; };
    return first(node(number).a) || first(node(number).b);
  }

  /// The indices that are summed away.
  bool find_sums() {
    over_ = held_ = -1;
    for (const int number : node_list(kernel_.nodes)) {
      const Node& op = node(number);
      if (op.op != Op::matmul) continue;
      int& known = is_second(number) ? held_ : over_;
      if (known >= 0 && known != op.over) return false;
      known = op.over;
    }
    return over_ >= 0 && over_ != held_ && !has(whole(), over_);
  }

  bool run_with(int column) {
    shape_.column = column;
    shape_.over = over_;
    shape_.held = held_;
    shape_.in_parts = launch_.split >= 0;
    if (!find_left() || !find_rows() || !find_reads()) return false;
    for (const int number : node_list(kernel_.nodes))
      if (!place(number)) return false;
    for (const int number : launch_.writes)
      if (set(number) != whole()) return false;
    const bool goes_through = shape_.in_place() || !shape_.sums.empty();
    if (shape_.products.empty() || (goes_through && (shape_.left_is_turned() || shape_.left_is_float)))
      return false;
    if (shape_.in_parts && (goes_through || !shape_.behind.empty() || !shape_.batch.empty())) return false;
    return !shape_.in_place() || tensor_type(program_, plan_) != Storage::f16 ||
           fits_half(graph_, shape_.factor);
  }

  /// The operand that the products have in common lacks the columns, and their sum's index is its own.
  bool find_left() {
    for (const int number : node_list(kernel_.nodes)) {
      const Node& op = node(number);
      if (op.op != Op::matmul || is_second(number)) continue;
      const int across = has(set(number), shape_.column) ? shape_.column : held_;
      if (across < 0) return false;
      const bool first = !has(set(op.a), across);
      const int factor = first ? op.a : op.b, right = first ? op.b : op.a;
      if (has(set(factor), across) || !has(set(right), across)) return false;
      if (shape_.factor >= 0 && shape_.factor != factor) return false;
      shape_.factor = factor;
      shape_.products.push_back(number);
      rights_ |= set(right);
    }
    return shape_.factor >= 0;
  }
  /// Rows: what only the left matrix has, as far as it lies side by side there and in what is written; of
  /// all other indices a block has one element.
  bool find_rows() {
    shape_.left_is_float = is_float(shape_.factor);
    if (shape_.left_is_float) shape_.left.node = shape_.factor;
    for (const int number : launch_.reads)
      if (!shape_.left_is_float && set(number) == set(shape_.factor) && is_half(number))
        shape_.left.node = number;
    if (shape_.left.node < 0) return false;
    const std::vector<std::uint8_t> order = dims(shape_.left.node);
    const Extents extents = real_extents(graph_);
    double most = 0;
    for (std::size_t first = 0; first < order.size(); ++first) {
      std::vector<int> run;
      double size = 1;
      for (std::size_t at = first; at < order.size() && is_row(order[at]); ++at) {
        if (!run.empty() && !lie_together(run.back(), order[at])) break;
        run.push_back(order[at]);
        size *= extents[order[at]];
      }
      if (run.empty() || size <= most) continue;
      most = size;
      shape_.rows = run;
    }
    if (shape_.rows.empty()) return false;
    for (const int index : members(whole()))
      if (index != shape_.column && !listed(shape_.rows, index)) shape_.batch.push_back(index);
    return place_matrix(shape_.left, TileAxis::row);
  }
  bool is_row(int index) const {
    return index != over_ && index != held_ && index != shape_.column && !has(rights_, index) &&
           has(whole(), index);
  }
  bool lie_together(int first, int second) const {
    for (const int number : launch_.writes) {
      const std::vector<std::uint8_t> order = dims(number);
      const auto at = std::find(order.begin(), order.end(), first);
      if (at == order.end() || at + 1 == order.end() || *(at + 1) != second) return false;
    }
    return true;
  }
  /// Which of the two axes, that of the sums and another, its contiguous index is.
  bool place_matrix(TileMatrix& matrix, TileAxis other) const {
    const int last = dims(matrix.node).back();
    const std::vector<int> across = shape_.indices(other);
    if (last != over_ && last != across.back()) return false;
    matrix.outer = last == over_ ? other : TileAxis::over;
    matrix.inner = last == over_ ? TileAxis::over : other;
    const auto known = static_cast<IndexSet>(only(over_) | all_of(across) | all_of(shape_.batch));
    return within(set(matrix.node), known);
  }

  bool find_reads() {
    for (const int number : launch_.reads) {
      if (is_constant(plan_, number) || number == shape_.left.node) continue;
      if (launch_.parts[slot(number)].launch >= 0) return false;
      const auto vector = static_cast<IndexSet>(all_of(shape_.batch) | only(over_));
      if (has(set(number), over_) && within(set(number), vector) && dims(number).back() == over_) {
        if (!is_half(number)) return false;
        shape_.along.push_back(number);
      } else if (within(set(number), whole())) {
        shape_.reads.push_back(number);
      }  // else it is a right operand, or the launch is refused where it is used
    }
    shape_.rights.resize(shape_.products.size());
    return true;
  }

  bool place(int number) {
    const Node& op = node(number);
    if (op.op == Op::matmul) return is_second(number) ? place_second(number) : place_product(number);
    if (op.op == Op::sum) {
      shape_.sums.push_back(number);
      return op.over == over_ && within(set(number), row_set()) &&
             (op.a == shape_.left.node || listed(shape_.taken, op.a));
    }
    if (op.over >= 0) return false;
    if (has(set(number), over_)) {
      // Zeros stand for what is outside: products keep them.
      shape_.taken.push_back(number);
      return op.op == Op::mul && set(number) == set(shape_.left.node) && all_operands(number, [&](int of) {
               return of == shape_.left.node || listed(shape_.along, of) || listed(shape_.taken, of);
             });
    }
    shape_.behind.push_back(number);
    return within(set(number), whole()) && all_operands(number, [&](int of) {
             const bool product = listed(shape_.products, of) && has(set(of), shape_.column);
             return product || listed(shape_.sums, of) || listed(shape_.seconds, of) ||
                    listed(shape_.behind, of) || listed(shape_.reads, of);
           });
  }
  template <class Test>
  bool all_operands(int number, Test test) const {
    for (const int of : {int{node(number).a}, int{node(number).b}})
      if (of >= 0 && !is_constant(plan_, of) && !test(of)) return false;
    return true;
  }
  bool place_product(int number) {
    const Node& op = node(number);
    const auto at =
        std::find(shape_.products.begin(), shape_.products.end(), number) - shape_.products.begin();
    TileMatrix& right = shape_.rights[static_cast<std::size_t>(at)];
    right.node = op.a == shape_.factor ? op.b : op.a;
    if (shape_.factor != shape_.left.node && !listed(shape_.taken, shape_.factor)) return false;
    const bool held = !has(set(number), shape_.column);
    const int across = held ? held_ : shape_.column;
    const auto known = static_cast<IndexSet>(row_set() | only(across));
    return within(set(number), known) && is_half(right.node) &&
           place_matrix(right, held ? TileAxis::held : TileAxis::column);
  }
  bool place_second(int number) {
    const Node& op = node(number);
    const bool first = listed(shape_.products, op.a);
    const int left = first ? op.a : op.b, right = first ? op.b : op.a;
    if (!listed(shape_.products, left) || !has(set(left), held_) || !is_half(right)) return false;
    if (dims(right) !=
        std::vector<std::uint8_t>{static_cast<std::uint8_t>(held_), static_cast<std::uint8_t>(shape_.column)})
      return false;
    if (listed(shape_.second_rights, right)) return false;
    shape_.seconds.push_back(number);
    shape_.second_rights.push_back(right);
    return true;
  }

  bool find_tiles() {
    const Extents extents = real_extents(graph_), tiles = tiles_of(kernel_, extents);
    std::int64_t row_blocks = 1;
    for (int i = 0; i < static_cast<int>(graph_.indices.size()); ++i) {
      const Cut& cut = kernel_.cuts[slot(i)];
      if (cut.loop > 1 && i != over_) return false;
      if (listed(shape_.batch, i)) {
        if (tiles[slot(i)] != 1) return false;
      } else if (listed(shape_.rows, i)) {
        row_blocks *= cut.grid;
      } else if (cut.grid > 1 && i != shape_.column && i != over_) {
        return false;
      }
    }
    const auto tile = [](std::int64_t extent) { return static_cast<int>(fragments_of(extent)); };
    shape_.row_tile = tile(divided(shape_.extent(TileAxis::row, extents), row_blocks));
    shape_.columns = tile(tiles[slot(shape_.column)]);
    shape_.step = tile(tiles[slot(over_)]);
    shape_.held_tile = held_ < 0 ? 0 : tile(extents[slot(held_)]);
    shape_.by_groups = kernel_.path == Path::tensor_groups;
    (shape_.by_groups ? shape_.cluster : shape_.beside) = kernel_.beside;
    shape_.in_registers = kernel_.stages == kNoStages;
    if (shape_.in_parts && !shape_.shared_ring()) return false;
    if (shape_.in_registers) return shape_.extent(TileAxis::row, extents) <= kFragment && register_tiles();
    if (kernel_.stages < 2 || kernel_.stages > (shape_.by_groups ? kMostGroupStages : kMostStages) ||
        shape_.step > kMostTensorTile)
      return false;
    find_stored();
    if (shape_.by_groups) return group_tiles();
    return shape_.shared_ring() ? shared_tiles()
                                : shape_.row_tile == kFragment &&
                                      std::max(shape_.columns, shape_.held_tile) <= kMostTensorTile;
  }
  void find_stored() {
    for (const int number : launch_.writes) {
      const int last = dims(number).back(), item = item_bytes(storage_of(program_, plan_, number));
      if (last == shape_.column)
        shape_.stored.push_back({{number, TileAxis::row, TileAxis::column}, item});
      else if (last == shape_.rows.back())
        shape_.stored.push_back({{number, TileAxis::column, TileAxis::row}, item});
    }
  }
  bool register_tiles() const {
    if (held_ >= 0 || !shape_.batch.empty() || shape_.beside > 1) return false;  // batches were not timed
    if (shape_.left_is_float || shape_.left_is_turned()) return false;
    for (const TileMatrix& right : shape_.rights)
      if (shape_.columns % TensorShape::columns_together(right) != 0) return false;
    return shape_.row_tile == kFragment && shape_.columns <= kMostTensorTile && shape_.step % kSlice == 0 &&
           shape_.slices() <= kMostSlices &&
           shape_.words(kernel_) + kWordsBesides <= std::min(kMostWords, kWordsOfSm / (32 * kernel_.warps));
  }
  bool group_tiles() const {
    if (held_ >= 0 || shape_.left_is_float || shape_.in_place() || !shape_.sums.empty() ||
        !shape_.along.empty())
      return false;
    const auto is_described = [&](const TileMatrix& matrix) {
      int besides = 0;
      for (const std::uint8_t index : dims(matrix.node)) besides += listed(shape_.batch, index) ? 1 : 0;
      return besides <= kMostMapBatch;
    };
    if (!is_described(shape_.left) || !std::all_of(shape_.rights.begin(), shape_.rights.end(), is_described))
      return false;
    std::vector<int> nodes{shape_.left.node};  // each has a map of its own
    for (const TileMatrix& right : shape_.rights) {
      if (listed(nodes, right.node)) return false;
      nodes.push_back(right.node);
    }
    const int words = kernel_.down * shape_.columns / 2 * static_cast<int>(shape_.products.size());
    return kernel_.warps % kGroupWarps == 0 && shape_.multiplying(kernel_) > 0 && shape_.step == kPanel &&
           shape_.row_tile == kGroupRows * kernel_.down * shape_.multiplying(kernel_) &&
           (shape_.columns == 64 || shape_.columns == 128 || shape_.columns == 256) && is_cluster() &&
           words + kWordsBesides <= kWordsOfSm / (32 * kernel_.warps);
  }
  bool is_cluster() const {
    const int blocks = shape_.cluster;
    return blocks == 1 || ((blocks == 2 || blocks == 4 || blocks == kMostOfCluster) && !shape_.in_parts &&
                           shape_.own_columns() >= kFragment);
  }
  bool shared_tiles() const {
    if (held_ >= 0 || kernel_.warps % shape_.beside != 0 || shape_.row_tile > kMostSharedTile ||
        shape_.columns > kMostSharedTile || shape_.row_tile % (kFragment * shape_.down(kernel_)) != 0 ||
        shape_.columns % (kFragment * shape_.beside) != 0 || shape_.takers(kernel_) < shape_.row_tile)
      return false;
    const int parts = shape_.row_parts(kernel_) * shape_.columns / kFragment / shape_.beside;
    return parts * static_cast<int>(shape_.products.size()) <= kMostSumFragments;
  }

  int over_ = -1, held_ = -1;
  IndexSet rights_ = 0;  ///< indices of right operands
  TensorShape shape_;
};

}  // namespace

int TensorShape::tile(TileAxis axis) const {
  switch (axis) {
    case TileAxis::row:
      return row_tile;
    case TileAxis::column:
      return columns;
    case TileAxis::over:
      return step;
    default:
      return held_tile;
  }
}

std::vector<int> TensorShape::indices(TileAxis axis) const {
  if (axis == TileAxis::row) return rows;
  return {axis == TileAxis::column ? column : axis == TileAxis::over ? over : held};
}

std::int64_t TensorShape::extent(TileAxis axis, const Extents& extents) const {
  std::int64_t extent = 1;
  for (const int index : indices(axis)) extent *= extents[slot(index)];
  return extent;
}

std::int64_t TensorShape::stride(const TileMatrix& matrix, const std::vector<std::uint8_t>& dims,
                                 const Extents& extents) const {
  std::int64_t stride = 1;
  for (std::size_t dim = dims.size(); dim-- > 0 && dims[dim] != indices(matrix.outer).back();)
    stride *= extents[dims[dim]];
  return stride;
}

std::int64_t TensorShape::words(const Kernel& kernel) const {
  if (in_registers) {
    const std::int64_t pieces = std::int64_t{slices()} * (row_tile / 8 + static_cast<int>(along.size()));
    const std::int64_t parts = static_cast<std::int64_t>(products.size()) * columns / 8;
    return 4 * (pieces + (1 + slices()) * parts) + 2 * static_cast<std::int64_t>(sums.size());
  }
  if (by_groups) return static_cast<std::int64_t>(products.size()) * kernel.down * columns / 2;
  std::int64_t all = 8 * row_parts(kernel);
  for (std::size_t i = 0; i < products.size(); ++i) all += 8 * column_parts(i) * (row_parts(kernel) + 1);
  return all;
}

std::int64_t TensorShape::bytes(const Kernel& kernel) const {
  const auto of = [&](const TileMatrix& matrix, int item) {
    const std::int64_t outer = tile(matrix.outer), inner = tile(matrix.inner);
    return by_groups ? outer * inner * item : tile_bytes(outer, inner, item);
  };
  const int of_rows = shared_ring() ? takers(kernel) : row_tile;  // numbers of a sum that meet
  std::int64_t stage = of(left, left_item()) + static_cast<std::int64_t>(along.size()) * aligned(2 * step);
  std::int64_t results = static_cast<std::int64_t>(sums.size()) * 4 * of_rows, block = 0;
  for (std::size_t i = 0; i < products.size(); ++i) {
    stage += of(rights[i], 2);
    results += tile_bytes(row_tile, width(i), 4);
    if (across(i) == TileAxis::held) block += tile_bytes(row_tile, held_tile, 4);
  }
  for ([[maybe_unused]] const int second : seconds) block += tile_bytes(held_tile, columns, 2);
  if (shared_ring()) {
    results = 0;
    block = aligned(static_cast<std::int64_t>(sums.size()) * 4 * of_rows);
    for (const Stored& each : stored)
      results = std::max(
          results, tile_bytes(result_tile(each.matrix.outer), result_tile(each.matrix.inner), each.item));
    if (cluster > 1)
      results = std::max(results, static_cast<std::int64_t>(products.size()) * 4 * row_tile * columns);
  }
  if (in_registers) stage = 0;
  if (by_groups) block += 2 * 8 * kernel.stages;
  return groups(kernel) * std::max(kernel.stages * stage, results) + block;
}

std::optional<TensorShape> tensor_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel) {
  return Finder(program, plan, launch, kernel).run_with_tiles();
}
std::optional<TensorShape> tensor_indices(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel) {
  return Finder(program, plan, launch, kernel).run();
}

}  // namespace workbook::opt
