#include "optimizer/tensor.h"

#include <algorithm>

#include "optimizer/ranges.h"
#include "optimizer/tensor_attention.h"

namespace workbook::opt {
namespace {

class Finder {
 public:
  Finder(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel)
      : program_(program),
        plan_(plan),
        graph_(plan.graph),
        launch_(launch),
        kernel_(kernel),
        shapes_(shapes_of(plan.graph, program.output_set())) {}

  std::optional<TensorShape> run() {
    if (launch_.split >= 0 || !find_indices() || !find_reads()) return std::nullopt;
    for (const int node : node_list(kernel_.nodes))
      if (!place(node)) return std::nullopt;
    for (const int node : launch_.writes)
      if (shapes_[slot(node)] != whole() || dims_of(program_, plan_, node, shapes_).back() != shape_.column)
        return std::nullopt;
    if (shape_.products.empty()) return std::nullopt;
    if (shape_.in_place() && tensor_type(program_, plan_) == Storage::f16 &&
        !fits_half(graph_, shape_.factor))
      return std::nullopt;
    return shape_;
  }
  std::optional<TensorShape> run_with_tiles() {
    const auto found = run();
    return found && find_tiles() ? std::optional(shape_) : std::nullopt;
  }

 private:
  const Node& node(int number) const { return graph_.nodes[slot(number)]; }
  bool computed(int number) const { return (kernel_.nodes & node_bit(number)) != 0; }
  IndexSet whole() const { return only(shape_.row) | only(shape_.column); }
  IndexSet left_set() const { return only(shape_.row) | only(shape_.over); }
  /// An input of half with these indices, in this order.
  bool is_half(int number, std::initializer_list<int> dims) const {
    if (slot(number) >= graph_.inputs.size() || is_constant(plan_, number)) return false;
    const Tensor& tensor = graph_.inputs[slot(number)];
    return tensor.storage == tensor_type(program_, plan_) &&
           std::equal(tensor.dims.begin(), tensor.dims.end(), dims.begin(), dims.end());
  }
  /// A product of a product that the launch computes.
  bool is_second(int number) const {
    const auto first = [&](int of) { return computed(of) && node(of).op == Op::matmul; };
    return first(node(number).a) || first(node(number).b);
  }

  bool find_indices() {
    if (launch_.writes.empty()) return false;
    const IndexSet written = shapes_[slot(launch_.writes.front())];
    for (const int number : node_list(kernel_.nodes)) {
      const Node& op = node(number);
      if (op.op != Op::matmul) continue;
      if (is_second(number)) {
        if (shape_.held >= 0 && shape_.held != op.over) return false;
        shape_.held = op.over;
        continue;
      }
      if (shape_.over >= 0 && shape_.over != op.over) return false;
      shape_.over = op.over;
    }
    if (shape_.over < 0 || has(written, shape_.over) || members(written).size() != 2) return false;
    // The columns are those of a right operand.
    shape_.column = dims_of(program_, plan_, launch_.writes.front(), shapes_).back();
    shape_.row = members(static_cast<IndexSet>(written & ~only(shape_.column))).front();
    return shape_.held != shape_.row && shape_.held != shape_.column;
  }

  bool find_reads() {
    for (const int number : launch_.reads) {
      if (is_constant(plan_, number)) continue;
      const IndexSet set = shapes_[slot(number)];
      if (launch_.parts[slot(number)].launch >= 0) return false;
      if (set == left_set()) {
        if (shape_.left >= 0 || !is_half(number, {shape_.row, shape_.over})) return false;
        shape_.left = number;
      } else if (set == only(shape_.over)) {
        if (!is_half(number, {shape_.over})) return false;
        shape_.along.push_back(number);
      } else if (within(set, whole())) {
        shape_.reads.push_back(number);
      }  // else it is a right operand, or the launch is refused where it is used
    }
    return shape_.left >= 0;
  }

  bool place(int number) {
    const Node& op = node(number);
    const IndexSet set = shapes_[slot(number)];
    if (op.op == Op::matmul) return is_second(number) ? place_second(number) : place_product(number);
    if (op.op == Op::sum) {
      shape_.sums.push_back(number);
      return op.over == shape_.over && set == only(shape_.row) &&
             (op.a == shape_.left || listed(shape_.taken, op.a));
    }
    if (op.over >= 0) return false;
    if (has(set, shape_.over)) {
      // Zeros stand for what is outside: products keep them.
      shape_.taken.push_back(number);
      return op.op == Op::mul && set == left_set() && all_operands(number, [&](int of) {
               return of == shape_.left || listed(shape_.along, of) || listed(shape_.taken, of);
             });
    }
    shape_.behind.push_back(number);
    return within(set, whole()) && all_operands(number, [&](int of) {
             const bool product = listed(shape_.products, of) && has(shapes_[slot(of)], shape_.column);
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
    const IndexSet set = shapes_[slot(number)];
    const bool held = shape_.held >= 0 && set == (only(shape_.row) | only(shape_.held));
    if (!held && set != whole()) return false;
    const int across = held ? shape_.held : shape_.column;
    for (const auto& [left, right] : {std::pair{int{op.a}, int{op.b}}, std::pair{int{op.b}, int{op.a}}}) {
      if ((left != shape_.left && !listed(shape_.taken, left)) || !is_half(right, {shape_.over, across}))
        continue;
      if (shape_.factor >= 0 && shape_.factor != left) return false;
      shape_.factor = left;
      shape_.products.push_back(number);
      return true;
    }
    return false;
  }
  bool place_second(int number) {
    const Node& op = node(number);
    for (const auto& [left, right] : {std::pair{int{op.a}, int{op.b}}, std::pair{int{op.b}, int{op.a}}}) {
      if (!listed(shape_.products, left) || !has(shapes_[slot(left)], shape_.held)) continue;
      if (!is_half(right, {shape_.held, shape_.column})) continue;
      for (const int other : shape_.seconds)
        if (shape_.right(graph_, other) == right) return false;
      shape_.seconds.push_back(number);
      return true;
    }
    return false;
  }

  bool find_tiles() {
    const Extents extents = real_extents(graph_), tiles = tiles_of(kernel_, extents);
    for (int i = 0; i < static_cast<int>(graph_.indices.size()); ++i) {
      const Cut& cut = kernel_.cuts[slot(i)];
      if (cut.grid > 1 && i != shape_.row && i != shape_.column) return false;
      if (cut.loop > 1 && i != shape_.over) return false;
    }
    const auto tile = [](std::int32_t extent) { return static_cast<int>(fragments_of(extent)); };
    shape_.columns = tile(tiles[slot(shape_.column)]);
    shape_.step = tile(tiles[slot(shape_.over)]);
    shape_.held_tile = shape_.held < 0 ? 0 : tile(extents[slot(shape_.held)]);
    return tiles[slot(shape_.row)] <= kFragment && kernel_.stages >= 2 && kernel_.stages <= kMostStages &&
           std::max({shape_.columns, shape_.step, shape_.held_tile}) <= kMostTensorTile;
  }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const Launch& launch_;
  const Kernel& kernel_;
  std::vector<IndexSet> shapes_;
  TensorShape shape_;
};

}  // namespace

int TensorShape::right(const Graph& graph, int product) const {
  const Node& op = graph.nodes[slot(product)];
  return op.a == factor || listed(products, op.a) ? op.b : op.a;
}

bool TensorShape::is_held(const Graph& graph, int product) const {
  return held >= 0 && graph.nodes[slot(product)].over == over &&
         graph.inputs[slot(right(graph, product))].dims.back() == held;
}

std::int64_t TensorShape::bytes(const Graph& graph, const Kernel& kernel) const {
  std::int64_t stage =
      tile_bytes(kFragment, step, 2) + static_cast<std::int64_t>(along.size()) * aligned(2 * step);
  std::int64_t results = static_cast<std::int64_t>(sums.size()) * 4 * kFragment, block = 0;
  for (const int product : products) {
    stage += tile_bytes(step, width(graph, product), 2);
    results += tile_bytes(kFragment, width(graph, product), 4);
    if (is_held(graph, product)) block += tile_bytes(kFragment, held_tile, 4);
  }
  for ([[maybe_unused]] const int second : seconds) block += tile_bytes(held_tile, columns, 2);
  return kernel.warps * std::max(kernel.stages * stage, results) + block;
}

std::optional<TensorShape> tensor_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel) {
  return Finder(program, plan, launch, kernel).run_with_tiles();
}
std::optional<TensorShape> tensor_indices(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel) {
  return Finder(program, plan, launch, kernel).run();
}

Storage tensor_type(const Program& program, const Plan& plan) {
  bool half = program.output_storage == Storage::f16, brain = program.output_storage == Storage::bf16;
  for (const Tensor& tensor : plan.graph.inputs) {
    half = half || tensor.storage == Storage::f16;
    brain = brain || tensor.storage == Storage::bf16;
  }
  return brain && !half ? Storage::bf16 : Storage::f16;
}

std::uint64_t halved_nodes(const Program& program, const Plan& plan) {
  std::uint64_t halved = 0;
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k) {
    if (plan.kernels[k].path == Path::tensor_attention) {
      const auto shape = attention_shape(program, plan, launches[k], plan.kernels[k]);
      if (!shape) continue;
      halved |= node_bit(shape->weight);
      for (const AttentionShape::Product& product : shape->products)
        if (shape->rounds(program, plan, product)) halved |= node_bit(product.left);
    }
    if (plan.kernels[k].path != Path::tensor) continue;
    const auto shape = tensor_shape(program, plan, launches[k], plan.kernels[k]);
    if (shape && shape->in_place()) halved |= node_bit(shape->factor);
  }
  return halved;
}

}  // namespace workbook::opt
