#include "opt/interpret.h"

#include <algorithm>
#include <limits>
#include <map>

namespace workbook::opt {
namespace {

/// Where a tile lies in its tensor: the elements first[i] to first[i] + count[i] - 1 of every index.
struct Window {
  Extents first{}, count{};
};

class Interpreter {
 public:
  Interpreter(const Program& program, const Plan& plan, const Extents& extents,
              const std::vector<NumberTensor>& inputs, Rounding rounding)
      : plan_(plan),
        graph_(plan.graph),
        extents_(extents),
        rounding_(rounding),
        shapes_(shapes_of(plan.graph, program.output_set())),
        launches_(launches_of(program, plan)),
        global_(plan.graph.nodes.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) global_[i] = {with_bounds(inputs[i])};
  }

  NumberTensor run() {
    for (std::size_t k = 0; k < launches_.size(); ++k) run_launch(plan_.kernels[k], launches_[k]);
    return global_[slot(graph_.output())].front();
  }

 private:
  static NumberTensor with_bounds(NumberTensor tensor) {
    if (tensor.bounds.empty()) tensor.bounds.assign(tensor.values.size(), 0.0);
    return tensor;
  }
  NumberTensor filled(IndexSet set, const Extents& extents, double value) const {
    NumberTensor tensor{set, {}, {}};
    tensor.values.assign(size_of(set, extents), value);
    tensor.bounds.assign(tensor.values.size(), 0.0);
    return tensor;
  }
  bool is_split(const Launch& launch, int node) const {
    return launch.split >= 0 && graph_.nodes[slot(node)].over == launch.split;
  }

  void run_launch(const Kernel& kernel, const Launch& launch) {
    for (const int node : launch.writes)
      global_[slot(node)].assign(slot(is_split(launch, node) ? kernel.cuts[slot(launch.split)].grid : 1),
                                 filled(shapes_[slot(node)], extents_, 0.0));
    Extents block{};
    do {
      run_block(kernel, launch, block);
    } while (next(kernel, launch, block));
  }
  static bool next(const Kernel& kernel, const Launch& launch, Extents& block) {
    for (const int index : launch.grid) {
      if (++block[slot(index)] < kernel.cuts[slot(index)].grid) return true;
      block[slot(index)] = 0;
    }
    return false;
  }

  /// The block's part of every index, and of the loop's index the tile of one turn (-1: all turns).
  Window window(const Kernel& kernel, const Launch& launch, const Extents& block, int turn) const {
    Window window;
    for (std::size_t i = 0; i < kMaxIndices; ++i) {
      const Cut& cut = kernel.cuts[i];
      const auto tile = static_cast<std::int32_t>(tile_of(cut, extents_[i]));
      std::int32_t first = block[i] * cut.loop * tile, size = cut.loop * tile;
      if (static_cast<int>(i) == launch.loop && turn >= 0) {
        first += turn * tile;
        size = tile;
      }
      const std::int32_t last = std::min(first + size, extents_[i]);
      window.first[i] = std::min(first, extents_[i]);
      window.count[i] = std::max(last - window.first[i], 0);
    }
    return window;
  }

  /// body(place in the tensor, place in the tile), for every element of a tile.
  template <class Body>
  void each(IndexSet set, const Window& window, Body body) const {
    const std::vector<int> indices = members(set);
    const std::size_t size = size_of(set, window.count);
    Extents place{};
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t from = 0;
      for (const int index : indices)
        from = from * slot(extents_[slot(index)]) + slot(window.first[slot(index)] + place[slot(index)]);
      body(from, i);
      for (auto index = indices.rbegin(); index != indices.rend(); ++index) {
        if (++place[slot(*index)] < window.count[slot(*index)]) break;
        place[slot(*index)] = 0;
      }
    }
  }

  /// What lies in global memory, parts of a sum added up.
  NumberTensor loaded(int node, const Window& window) const {
    NumberTensor tile = filled(shapes_[slot(node)], window.count, 0.0);
    for (const NumberTensor& part : global_[slot(node)])
      each(tile.set, window, [&](std::size_t from, std::size_t to) {
        tile.values[to] += part.values[from];
        tile.bounds[to] += part.bounds[from];
      });
    return tile;
  }
  void store(int node, const Kernel&, const Launch& launch, const Extents& block, const Window& window,
             const NumberTensor& tile) {
    const std::size_t part = is_split(launch, node) ? slot(block[slot(launch.split)]) : 0;
    NumberTensor& whole = global_[slot(node)][part];
    each(tile.set, window, [&](std::size_t to, std::size_t from) {
      whole.values[to] = tile.values[from];
      whole.bounds[to] = tile.bounds[from];
    });
  }

  NumberEvaluator& evaluator(const Extents& extents) {
    auto found = evaluators_.find(extents);
    if (found == evaluators_.end())
      found = evaluators_.emplace(extents, NumberEvaluator(graph_, extents, extents_, rounding_)).first;
    return found->second;
  }

  /// The tiles of one block, by node.
  using Tiles = std::map<int, NumberTensor>;

  NumberTensor computed(int node, const Window& window, Tiles& inside, Tiles& outside) {
    const auto operand = [&](int from) -> const NumberTensor& {
      if (const auto found = inside.find(from); found != inside.end()) return found->second;
      if (const auto found = outside.find(from); found != outside.end()) return found->second;
      return inside.emplace(from, loaded(from, window)).first->second;
    };
    const Node& op = graph_.nodes[slot(node)];
    const NumberTensor& a = operand(op.a);
    const NumberTensor* b = op.b >= 0 ? &operand(op.b) : nullptr;
    return evaluator(window.count).apply(op, shapes_[slot(node)], a, b);
  }

  void run_block(const Kernel& kernel, const Launch& launch, const Extents& block) {
    const Window whole = window(kernel, launch, block, -1);
    Tiles outside;
    const std::vector<int> nodes = node_list(kernel.nodes);
    const auto writes = [&](int node) {
      return std::binary_search(launch.writes.begin(), launch.writes.end(), node);
    };
    for (int stage = kBefore; stage <= kLast; ++stage) {
      if (stage % 2 == 0) {
        for (const int node : nodes) {
          if (launch.stages[slot(node)] != stage) continue;
          if (!launch.accumulates(graph_, node)) outside[node] = computed(node, whole, outside, outside);
          if (writes(node)) store(node, kernel, launch, block, whole, outside.at(node));
        }
        continue;
      }
      if (stage / 2 >= launch.sweeps) continue;
      for (const int node : nodes)
        if (launch.stages[slot(node)] == stage + 1 && launch.accumulates(graph_, node))
          outside[node] =
              filled(shapes_[slot(node)], whole.count,
                     graph_.nodes[slot(node)].op == Op::max ? -std::numeric_limits<double>::infinity() : 0.0);
      for (int turn = 0; turn < kernel.cuts[slot(launch.loop)].loop; ++turn)
        sweep(kernel, launch, block, window(kernel, launch, block, turn), stage, outside, writes);
    }
  }

  template <class Writes>
  void sweep(const Kernel& kernel, const Launch& launch, const Extents& block, const Window& window,
             int stage, Tiles& outside, Writes writes) {
    if (window.count[slot(launch.loop)] == 0) return;  // the last parts may be empty
    Tiles inside;
    for (const int node : node_list(kernel.nodes)) {
      if (launch.accumulates(graph_, node)) {
        if (launch.stages[slot(node)] != stage + 1) continue;
        const NumberTensor part = computed(node, window, inside, outside);
        NumberTensor& sum = outside.at(node);
        for (std::size_t i = 0; i < sum.values.size(); ++i) {
          if (graph_.nodes[slot(node)].op == Op::max) {
            sum.values[i] = std::max(sum.values[i], part.values[i]);
            sum.bounds[i] = std::max(sum.bounds[i], part.bounds[i]);
          } else {
            sum.values[i] += part.values[i];
            sum.bounds[i] += part.bounds[i];
          }
        }
      } else if (launch.stages[slot(node)] % 2 == 1 && launch.stages[slot(node)] <= stage) {
        inside[node] = computed(node, window, inside, outside);
        if (launch.stages[slot(node)] == stage && writes(node))
          store(node, kernel, launch, block, window, inside.at(node));
      }
    }
  }

  const Plan& plan_;
  const Graph& graph_;
  const Extents& extents_;
  Rounding rounding_;
  std::vector<IndexSet> shapes_;
  std::vector<Launch> launches_;
  std::vector<std::vector<NumberTensor>> global_;  ///< of every node its parts
  std::map<Extents, NumberEvaluator> evaluators_;
};

}  // namespace

NumberTensor interpret(const Program& program, const Plan& plan, const Extents& extents,
                       const std::vector<NumberTensor>& inputs, Rounding rounding) {
  return Interpreter(program, plan, extents, inputs, rounding).run();
}

}  // namespace workbook::opt
