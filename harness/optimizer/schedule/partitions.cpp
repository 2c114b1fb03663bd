// How a graph may be divided into launches.
#include <algorithm>

#include "optimizer/schedule/schedule.h"

namespace workbook::opt {
namespace {

constexpr std::size_t kMostPartitions = 400;  ///< of one graph
constexpr int kSearchedLaunches = 4;
constexpr std::size_t kSmall = 9;  ///< operations, all of whose partitions are looked at

using Partition = std::vector<std::uint64_t>;

class Partitioner {
 public:
  explicit Partitioner(const Graph& graph) : graph_(graph), nodes_(node_list(needed_nodes(graph))) {}

  std::vector<Partition> run() {
    small_ = nodes_.size() <= kSmall;
    for (const int node : nodes_)
      if (small_ || graph_.nodes[slot(node)].over >= 0) anchors_.push_back(node);
    for (std::size_t count = 1; count <= std::min<std::size_t>(kSearchedLaunches, anchors_.size()); ++count) {
      launches_ = static_cast<int>(count);
      of_.assign(graph_.nodes.size(), 0);
      assign(0);
    }
    if (anchors_.empty()) found_.push_back({needed_nodes(graph_)});
    found_.insert(found_.end(), again_.begin(), again_.end());
    return std::move(found_);
  }

 private:
  /// The first launch that may have it: not before its operands, those that are elementwise where they can
  /// be.
  int least_of(int node) const {
    const Node& op = graph_.nodes[slot(node)];
    int least = 0;
    for (const int operand : {int{op.a}, int{op.b}}) {
      if (operand < 0 || slot(operand) < graph_.inputs.size()) continue;
      const bool anchor = small_ || graph_.nodes[slot(operand)].over >= 0;
      least = std::max(least, anchor ? of_[slot(operand)] : least_of(operand));
    }
    return least;
  }
  void assign(std::size_t at) {
    if (found_.size() >= kMostPartitions) return;
    if (at == anchors_.size()) {
      std::vector<bool> used(slot(launches_), false);
      for (const int node : anchors_) used[slot(of_[slot(node)])] = true;
      if (std::find(used.begin(), used.end(), false) == used.end()) fill();
      return;
    }
    for (int launch = least_of(anchors_[at]); launch < launches_; ++launch) {
      of_[slot(anchors_[at])] = launch;
      assign(at + 1);
    }
  }

  /// What is elementwise: early, late, and what no sum reads in a launch behind all others.
  void fill() {
    std::vector<int> early = of_, late(graph_.nodes.size(), -1);
    std::vector<bool> before_sum(graph_.nodes.size(), false);
    const auto anchor = [&](int node) { return small_ || graph_.nodes[slot(node)].over >= 0; };
    for (const int node : nodes_)
      if (!anchor(node)) early[slot(node)] = least_of(node);
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      int& own = late[slot(*node)];
      if (anchor(*node)) own = of_[slot(*node)], before_sum[slot(*node)] = true;
      if (own < 0) own = early[slot(*node)];
      const Node& op = graph_.nodes[slot(*node)];
      for (const int operand : {int{op.a}, int{op.b}}) {
        if (operand < 0 || anchor(operand)) continue;
        int& from = late[slot(operand)];
        from = from < 0 ? own : std::min(from, own);
        if (before_sum[slot(*node)]) before_sum[slot(operand)] = true;
      }
    }
    keep(early, launches_);
    if (small_) return;
    keep(late, launches_);
    if (launches_ == kSearchedLaunches) return;
    bool any = false;
    for (const int node : nodes_)
      if (!anchor(node) && !before_sum[slot(node)])
        early[slot(node)] = late[slot(node)] = launches_, any = true;
    if (!any) return;
    keep(early, launches_ + 1);
    keep(late, launches_ + 1);
  }
  void keep(const std::vector<int>& of, int count) {
    Partition parts(slot(count), 0);
    for (const int node : nodes_) parts[slot(of[slot(node)])] |= node_bit(node);
    if (std::find(found_.begin(), found_.end(), parts) != found_.end()) return;
    found_.push_back(parts);
    if (has_products()) return;
    compute_again(parts);
    if (std::find(found_.begin(), found_.end(), parts) == found_.end() &&
        std::find(again_.begin(), again_.end(), parts) == again_.end())
      again_.push_back(std::move(parts));
  }
  bool has_products() const {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](int node) { return graph_.nodes[slot(node)].op == Op::matmul; });
  }
  bool is_elementwise(int node) const {
    return slot(node) >= graph_.inputs.size() && graph_.nodes[slot(node)].over < 0;
  }
  /// The same where every launch computes for itself what is elementwise, from inputs and sums: nothing else
  /// crosses launches.
  void compute_again(Partition& parts) const {
    for (auto launch = parts.rbegin(); launch != parts.rend(); ++launch) {
      std::uint64_t kept = 0;
      for (const int output : graph_.outputs) kept |= *launch & node_bit(output);
      for (const int node : nodes_)
        if (!is_elementwise(node)) kept |= *launch & node_bit(node);
      for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
        if ((kept & node_bit(*node)) == 0) continue;
        const Node& op = graph_.nodes[slot(*node)];
        for (const int operand : {int{op.a}, int{op.b}})
          if (operand >= 0 && is_elementwise(operand)) kept |= node_bit(operand);
      }
      *launch = kept;
    }
    std::erase(parts, std::uint64_t{0});
  }

  const Graph& graph_;
  std::vector<int> nodes_, anchors_, of_;
  std::vector<Partition> found_, again_;
  int launches_ = 1;
  bool small_ = true;
};

}  // namespace

std::vector<Partition> partitions_of(const Graph& graph) { return Partitioner(graph).run(); }

}  // namespace workbook::opt
