#include "optimizer/forms/window/shape.h"

#include <algorithm>

#include "optimizer/launch/finder.h"

namespace workbook::opt {
namespace {

constexpr double kMostPlaces = 0x1p31;  ///< places are of 32 bits
constexpr int kMostOfThread = 64;       ///< that a thread has of one node
constexpr int kLeastVector = 4;         ///< of packs of half, which are 8 bytes then

class WindowFinder : public LaunchFinder {
 public:
  using LaunchFinder::LaunchFinder;

  std::optional<WindowShape> run() {
    if (launch_.loop >= 0 || launch_.split >= 0 || launch_.writes.empty()) return std::nullopt;
    if (!find_rows() || !reads_are_known() || !find_cuts()) return std::nullopt;
    shape_.scope = scope_of(-1, launch_.writes, written_, 0);
    return shape_;
  }

 private:
  bool find_rows() {
    written_ = set(launch_.writes.front());
    if (written_ == 0) return false;
    const std::vector<std::uint8_t> order = dims(launch_.writes.front());
    shape_.lane = order.back();
    shape_.rows.assign(order.begin(), order.end() - 1);
    double elements = 1;
    const Extents extents = real_extents(graph_);
    for (const int index : order) elements *= extents[slot(index)];
    if (elements >= kMostPlaces) return false;
    for (const int number : launch_.writes)
      if (set(number) != written_ || dims(number).back() != shape_.lane) return false;
    const std::vector<int> nodes = node_list(kernel_.nodes);
    const bool shares = find_below() > 0.0;
    return (shares && kernel_.down > 1) ||
           std::any_of(nodes.begin(), nodes.end(), [&](int number) { return node(number).over >= 0; });
  }
  /// The index of which most is read that lacks it, of those the innermost one; how much that is.
  double find_below() {
    const Extents extents = real_extents(graph_);
    double most = -1.0;
    for (const int index : shape_.rows) {
      double read = 0.0;
      for (const int number : launch_.reads)
        if (is_stored(plan_, number) && has(set(number), shape_.lane) && !has(set(number), index))
          read += static_cast<double>(size_of(set(number), extents));
      if (read >= most) most = read, shape_.below = index;
    }
    if (kernel_.down == 1) shape_.below = -1;
    return most;
  }
  /// Every index of what is computed is one of the result or of a loop.
  bool reads_are_known() const {
    IndexSet known = written_;
    for (const int number : node_list(kernel_.nodes))
      if (node(number).over >= 0) {
        if (has(written_, node(number).over)) return false;
        known |= only(node(number).over);
      }
    for (const int number : node_list(kernel_.nodes))
      if (!within(set(number), known)) return false;
    for (const int number : launch_.reads) {
      if (in_parts(number) || !within(set(number), known)) return false;
      if (!is_view(plan_, number)) continue;
      for (const Coordinate& coordinate : graph_.inputs[slot(number)].view)
        if (coordinate.by >= 0) return false;  // rows that an input chooses
    }
    return true;
  }
  bool find_cuts() {
    for (const Cut& cut : kernel_.cuts)
      if (cut != Cut{}) return false;
    shape_.threads = 32 * kernel_.warps;
    shape_.vector = kernel_.beside, shape_.down = kernel_.down;
    if (shape_.down > 1 && (shape_.rows.empty() || shape_.vector * shape_.down > kMostOfThread)) return false;
    if (shape_.vector == 1) return true;
    int widest = 2, narrowest = 4;
    const auto note = [&](int number) {
      const int bytes = item_bytes(storage_of(program_, plan_, number));
      widest = std::max(widest, bytes), narrowest = std::min(narrowest, bytes);
    };
    bool any = false;
    for (const int number : launch_.reads)
      if (shape_.in_packs(plan_, number, dims_or_none(number))) note(number), any = true;
    for (const int number : launch_.writes) note(number);
    return any && shape_.vector >= kLeastVector && shape_.vector % 4 == 0 &&
           shape_.vector <= 16 / narrowest && (shape_.vector * widest) % 8 == 0;
  }
  std::vector<std::uint8_t> dims_or_none(int number) const {
    return is_constant(plan_, number) ? std::vector<std::uint8_t>{} : dims(number);
  }

  /// All that the targets need with no more than these indices, and is not known from outside; what is summed
  /// in loops of their own.
  WindowScope scope_of(int of, const std::vector<int>& targets, IndexSet bound, std::uint64_t known) const {
    WindowScope scope;
    scope.node = of;
    std::uint64_t needed = 0;
    for (const int number : targets) needed |= node_bit(number);
    for (int number = static_cast<int>(graph_.nodes.size()) - 1; number >= 0; --number) {
      if ((needed & ~known & node_bit(number)) == 0 || !computed(number)) continue;
      for (const int operand : operands_of(node(number))) needed |= node_bit(operand);
    }
    for (const int number : node_list(needed & ~known)) {
      if (!within(set(number), bound)) continue;
      if (!computed(number)) {
        if (!is_constant(plan_, number)) scope.reads.push_back(number);
      } else {
        scope.nodes.push_back(number);
      }
      known |= node_bit(number);
    }
    for (const int number : scope.nodes)
      if (const Node& op = node(number); op.over >= 0)
        scope.loops.push_back(
            scope_of(number, operands_of(op), static_cast<IndexSet>(bound | only(op.over)), known));
    return scope;
  }

  IndexSet written_ = 0;
  WindowShape shape_;
};

}  // namespace

bool WindowShape::in_packs(const Plan& plan, int node, const std::vector<std::uint8_t>& dims) const {
  if (vector == 1 || is_placed(plan, node) || is_constant(plan, node)) return false;
  if (!is_view(plan, node)) return !dims.empty() && dims.back() == lane;
  const std::vector<Coordinate>& view = plan.graph.inputs[slot(node)].view;
  if (view.empty() || view.back().by >= 0 || view.back().line.times(lane) != view.back().divide) return false;
  return std::none_of(view.begin(), view.end() - 1,
                      [&](const Coordinate& each) { return each.line.times(lane) != 0; });
}

std::optional<WindowShape> window_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel) {
  return WindowFinder(program, plan, launch, kernel).run();
}

}  // namespace workbook::opt
