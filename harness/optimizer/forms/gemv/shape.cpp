#include "optimizer/forms/gemv/shape.h"

#include <algorithm>

#include "optimizer/launch/finder.h"
#include "optimizer/plan/halves.h"

namespace workbook::opt {
namespace {

constexpr int kMostVector = 4096, kMostOut = 128;  ///< elements of the vector; of the result in a block
constexpr int kMostEights = 16;                    ///< loads of a thread
constexpr std::int64_t kMostVectors = 4;           ///< that meet the same matrix

class GemvFinder : public LaunchFinder {
 public:
  using LaunchFinder::LaunchFinder;

  std::optional<GemvShape> run() {
    if (launch_.loop >= 0 || launch_.split >= 0) return std::nullopt;
    for (const int number : node_list(kernel_.nodes))
      if (!place(number)) return std::nullopt;
    if (shape_.product < 0) return std::nullopt;
    for (const int number : launch_.writes)
      if (set(number) != set(shape_.product)) return std::nullopt;
    return shape_;
  }
  std::optional<GemvShape> run_with_tiles() {
    const auto found = run();
    return found && find_tiles() ? std::optional(shape_) : std::nullopt;
  }

 private:
  bool place(int number) {
    const Node& op = node(number);
    if (op.op == Op::matmul) return shape_.product < 0 && place_product(number, op);
    if (op.op == Op::sum) return shape_.product < 0 && place_sum(number, op);
    shape_.behind.push_back(number);
    if (op.over >= 0 || shape_.product < 0 || !within(set(number), set(shape_.product))) return false;
    for (const int of : {int{op.a}, int{op.b}}) {
      if (of < 0 || is_constant(plan_, of) || computed(of)) continue;
      if (of == shape_.vector || !within(set(of), set(shape_.product))) return false;
      std::vector<int>& reads = has(set(of), shape_.out) ? shape_.reads : shape_.numbers;
      if (!listed(reads, of)) reads.push_back(of);
    }
    return true;
  }
  /// Parts of a maximum have no sum.
  bool is_largest_part(int number) const {
    return !launch_.parts.empty() && launch_.parts[slot(number)].maximum == number;
  }
  bool place_product(int number, const Node& op) {
    shape_.product = number;
    shape_.over = op.over;
    for (const auto& [vector, matrix] : {std::pair{int{op.a}, int{op.b}}, std::pair{int{op.b}, int{op.a}}}) {
      const auto more = members(static_cast<IndexSet>(set(matrix) & ~set(vector)));
      if (more.size() != 1 || slot(matrix) >= graph_.inputs.size() || computed(vector) ||
          is_made(plan_, vector) || is_largest_part(vector))
        continue;
      const IndexSet alone = static_cast<IndexSet>(set(vector) & ~set(matrix));
      if (!are_few(alone) || !place_matrix(matrix, more.front())) continue;
      shape_.vector = vector;
      for (const int index : members(set(vector)))
        if (index != shape_.over) shape_.batch.push_back(index);
      // Every index of the result is the matrix's, or of a few vectors: none is a row of many.
      return set(number) == static_cast<IndexSet>((set(matrix) | alone) & ~only(shape_.over));
    }
    return false;
  }

  /// Vectors against one matrix, each with blocks of its own that read it.
  bool are_few(IndexSet indices) const {
    std::int64_t vectors = 1;
    for (const int index : members(indices)) vectors *= graph_.indices[slot(index)].real;
    return vectors <= kMostVectors;
  }

  /// As the product with a vector of ones.
  bool place_sum(int number, const Node& op) {
    shape_.product = number;
    shape_.over = op.over;
    if (slot(op.a) >= graph_.inputs.size()) return false;
    for (const std::uint8_t index : graph_.inputs[slot(op.a)].dims)
      if (place_matrix(op.a, index)) break;
    for (const int index : members(set(number)))
      if (index != shape_.out) shape_.batch.push_back(index);
    return shape_.matrix >= 0;
  }
  bool place_matrix(int matrix, int out) {
    const Tensor& tensor = graph_.inputs[slot(matrix)];
    const std::size_t dims = tensor.dims.size();
    const auto last = [&](std::size_t from_end) -> int { return tensor.dims[dims - from_end]; };
    if (tensor.storage != half_ || tensor.constant >= 0 || tensor.view_of >= 0 || dims < 2) return false;
    const bool by_rows = last(1) == shape_.over && last(2) == out;
    if (!by_rows && (last(1) != out || last(2) != shape_.over)) return false;
    shape_.by_rows = by_rows;
    shape_.out = out;
    shape_.matrix = matrix;
    return true;
  }

  bool find_tiles() {
    const Extents extents = real_extents(graph_), tiles = tiles_of(kernel_, extents);
    for (int i = 0; i < static_cast<int>(graph_.indices.size()); ++i) {
      if (listed(shape_.batch, i) ? tiles[slot(i)] != 1 : i != shape_.out && kernel_.cuts[slot(i)] != Cut{})
        return false;
    }
    shape_.threads = 32 * kernel_.warps;
    shape_.tile = static_cast<int>(fragments_of(tiles[slot(shape_.out)]));
    shape_.width = static_cast<int>(fragments_of(extents[slot(shape_.over)]));
    if (shape_.width > kMostVector || shape_.tile > kMostOut) return false;
    if (divided(extents[slot(shape_.out)], shape_.tile) != kernel_.cuts[slot(shape_.out)].grid) return false;
    shape_.axes = shape_.batch;
    shape_.axes.push_back(shape_.out);
    sort_by_blocks(shape_.axes, kernel_);
    return shape_.axes.size() <= kMostGridIndices && shape_.turns() >= 1 &&
           shape_.turns() * shape_.pieces() <= kMostEights &&
           shape_.turns() * shape_.rows() == (shape_.by_rows ? shape_.tile : shape_.width);
  }

  Storage half_ = tensor_type(program_, plan_);
  GemvShape shape_;
};

}  // namespace

std::optional<GemvShape> gemv_shape(const Program& program, const Plan& plan, const Launch& launch,
                                    const Kernel& kernel) {
  return GemvFinder(program, plan, launch, kernel).run_with_tiles();
}
std::optional<GemvShape> gemv_indices(const Program& program, const Plan& plan, const Launch& launch,
                                      const Kernel& kernel) {
  return GemvFinder(program, plan, launch, kernel).run();
}

}  // namespace workbook::opt
