#include "optimizer/launch/cuts.h"

#include <algorithm>

namespace workbook::opt {

Cuts::Cuts(const Program& program, const Graph& graph, const sim::GpuSpec& gpu)
    : program_(program),
      graph_(graph),
      gpu_(gpu),
      extents_(real_extents(graph)),
      shapes_(shapes_of(graph, program.output_set())) {}

void Cuts::begin(const Plan& plan, int number, const Launch& launch) {
  plan_ = plan;
  number_ = number;
  launch_ = launch;
  products_ = sums_ = false;
  IndexSet all = 0;
  summed_ = written_ = 0;
  for (const int node : launch.reads) all |= shape(node);
  for (const int node : launch.writes) written_ |= shape(node);
  for (const int node : node_list(uncut().nodes)) {
    const Node& op = graph_.nodes[slot(node)];
    all |= shape(node);
    products_ = products_ || op.op == Op::matmul;
    sums_ = sums_ || op.op == Op::sum;
    if (op.over >= 0) summed_ |= only(op.over);
  }
  summed_ &= all;
}

std::int64_t Cuts::extent(const std::vector<int>& indices) const {
  std::int64_t all = 1;
  for (const int index : indices) all *= extent(index);
  return all;
}

int Cuts::summed_reads() const {
  return static_cast<int>(std::count_if(launch_.reads.begin(), launch_.reads.end(),
                                        [&](int node) { return (shape(node) & summed_) != 0; }));
}

void Cuts::cut_to_elements(Kernel& kernel, const std::vector<int>& indices) const {
  for (const int index : indices) kernel.cuts[slot(index)].grid = static_cast<int>(extent(index));
}

void Cuts::cut_rows(Kernel& kernel, const std::vector<int>& rows, std::int64_t blocks) const {
  for (const int index : rows) {
    const std::int64_t own = std::min<std::int64_t>(blocks, extent(index));
    kernel.cuts[slot(index)].grid = static_cast<int>(own);
    blocks = divided(blocks, own);
  }
}

}  // namespace workbook::opt
