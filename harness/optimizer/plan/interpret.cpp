#include "optimizer/plan/interpret.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace workbook::opt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

  void run_launch(const Kernel& kernel, const Launch& launch) {
    for (const int node : launch.writes)
      global_[slot(node)].assign(
          slot(launch.is_split(graph_, node) ? kernel.cuts[slot(launch.split)].grid : 1),
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
  NumberTensor loaded(int node, const Launch& launch, const Window& window) const {
    const int maximum = launch.parts[slot(node)].maximum;
    NumberTensor tile = filled(shapes_[slot(node)], window.count, 0.0);
    std::vector<NumberTensor> maxima;
    NumberTensor most;
    if (maximum >= 0) {
      most = filled(shapes_[slot(maximum)], window.count, -kInfinity);
      for (const NumberTensor& part : global_[slot(maximum)]) {
        maxima.push_back(filled(most.set, window.count, 0.0));
        each(most.set, window, [&](std::size_t from, std::size_t to) {
          maxima.back().values[to] = part.values[from];
          most.values[to] = std::max(most.values[to], part.values[from]);
          most.bounds[to] = std::max(most.bounds[to], part.bounds[from]);
        });
      }
      if (maximum == node) return most;
    }
    for (std::size_t k = 0; k < global_[slot(node)].size(); ++k) {
      NumberTensor part = filled(tile.set, window.count, 0.0);
      each(tile.set, window, [&](std::size_t from, std::size_t to) {
        part.values[to] = global_[slot(node)][k].values[from];
        part.bounds[to] = global_[slot(node)][k].bounds[from];
      });
      if (maximum >= 0) rescale(part, maxima[k], most, window.count);
      for (std::size_t i = 0; i < tile.values.size(); ++i) {
        tile.values[i] += part.values[i];
        tile.bounds[i] += part.bounds[i];
      }
    }
    return tile;
  }
  /// Times exp(before - after), whose indices are among the tensor's.
  void rescale(NumberTensor& tensor, const NumberTensor& before, const NumberTensor& after,
               const Extents& extents) const {
    const Layout layout(extents);
    const std::vector<int> indices = members(tensor.set);
    Extents place{};
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      std::size_t at = 0;
      for (const int index : members(before.set))
        at += slot(place[slot(index)]) * layout.stride(before.set, index);
      const double factor =
          before.values[at] == after.values[at] ? 1.0 : std::exp(before.values[at] - after.values[at]);
      tensor.values[i] *= factor;
      tensor.bounds[i] = tensor.bounds[i] * factor + 2.0 * rounding_.unit * std::abs(tensor.values[i]);
      for (auto index = indices.rbegin(); index != indices.rend(); ++index) {
        if (++place[slot(*index)] < extents[slot(*index)]) break;
        place[slot(*index)] = 0;
      }
    }
  }
  void store(int node, const Kernel&, const Launch& launch, const Extents& block, const Window& window,
             const NumberTensor& tile) {
    const std::size_t part = launch.is_split(graph_, node) ? slot(block[slot(launch.split)]) : 0;
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

  NumberTensor computed(int node, const Launch& launch, const Window& window, Tiles& inside, Tiles& outside) {
    const auto operand = [&](int from) -> const NumberTensor& {
      if (const auto found = inside.find(from); found != inside.end()) return found->second;
      if (const auto found = outside.find(from); found != outside.end()) return found->second;
      return inside.emplace(from, loaded(from, launch, window)).first->second;
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
          if (launch.final_stage(node) != stage) continue;
          if (!launch.accumulates(graph_, node) && node != launch.running)
            outside[node] = computed(node, launch, whole, outside, outside);
          if (writes(node)) store(node, kernel, launch, block, whole, outside.at(node));
        }
        continue;
      }
      if (stage / 2 >= launch.sweeps) continue;
      for (const int node : nodes)
        if (launch.final_stage(node) == stage + 1 && launch.accumulates(graph_, node))
          outside[node] = filled(shapes_[slot(node)], whole.count,
                                 graph_.nodes[slot(node)].op == Op::max ? -kInfinity : 0.0);
      for (int turn = 0; turn < kernel.cuts[slot(launch.loop)].loop; ++turn)
        sweep(kernel, launch, block, window(kernel, launch, block, turn), stage, outside, writes);
    }
  }

  template <class Writes>
  void sweep(const Kernel& kernel, const Launch& launch, const Extents& block, const Window& window,
             int stage, Tiles& outside, Writes writes) {
    if (window.count[slot(launch.loop)] == 0) return;  // the last parts may be empty
    Tiles inside;
    NumberTensor before;  // the running maximum of the turns so far
    for (const int node : node_list(kernel.nodes)) {
      if (launch.accumulates(graph_, node)) {
        if (launch.final_stage(node) != stage + 1) continue;
        const NumberTensor part = computed(node, launch, window, inside, outside);
        NumberTensor& sum = outside.at(node);
        if (node == launch.running) before = sum;
        if (launch.is_rescaled(node)) rescale(sum, before, outside.at(launch.running), window.count);
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
        inside[node] = computed(node, launch, window, inside, outside);
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
