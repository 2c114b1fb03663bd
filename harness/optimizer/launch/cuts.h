// A launch whose cuts are wanted: what forms try (Form::try_cuts).
#pragma once

#include "optimizer/plan/plan.h"

namespace workbook::opt {

inline constexpr std::int64_t kMostBlocks = 8;  ///< an SM, where the grid cuts sums

/// So many blocks are hardly fewer than the GPU has SMs, or more.
constexpr bool nearly_fill_gpu(std::int64_t blocks, int sms) {
  constexpr double kEnough = 0.75;
  return static_cast<double>(blocks) >= kEnough * sms;
}

class Cuts {
 public:
  Cuts(const Program& program, const Graph& graph, const sim::GpuSpec& gpu);
  virtual ~Cuts() = default;
  Cuts(const Cuts&) = delete;
  Cuts& operator=(const Cuts&) = delete;

  /// Looks what the launch costs with these cuts, if it may have them.
  virtual void consider(const Kernel& kernel) = 0;
  /// The launch with other cuts; nothing where they break a rule.
  virtual std::optional<Launch> legal(const Kernel& kernel) = 0;
  virtual bool any() const = 0;  ///< that were looked at

  const Program& program() const { return program_; }
  const Graph& graph() const { return graph_; }
  const Plan& plan() const { return plan_; }
  const sim::GpuSpec& gpu() const { return gpu_; }
  const Launch& launch() const { return launch_; }  ///< whole
  const Kernel& uncut() const { return plan_.kernels[slot(number_)]; }
  std::int64_t extent(int index) const { return extents_[slot(index)]; }
  const Extents& extents() const { return extents_; }
  IndexSet shape(int node) const { return shapes_[slot(node)]; }
  bool has_products() const { return products_; }
  bool has_sums() const { return sums_; }        ///< of no product
  IndexSet summed() const { return summed_; }    ///< indices of its sums, products and maxima
  IndexSet written() const { return written_; }  ///< indices of what it writes
  /// Elements of all these indices together.
  std::int64_t extent(const std::vector<int>& indices) const;
  /// Tensors that it reads and goes over for a sum.
  int summed_reads() const;

  /// Its nodes, on a path.
  Kernel kernel(Path path, int warps, int stages = 0, int beside = 1, int down = 1) const {
    return {uncut().nodes, {}, path, warps, stages, beside, down};
  }
  /// A block has one element of each of these.
  void cut_to_elements(Kernel& kernel, const std::vector<int>& indices) const;
  /// So many blocks for several indices of a row: of the outer ones first.
  void cut_rows(Kernel& kernel, const std::vector<int>& rows, std::int64_t blocks) const;

 protected:
  /// Launch `number` of a plan, whole.
  void begin(const Plan& plan, int number, const Launch& launch);

  const Program& program_;
  const Graph& graph_;
  const sim::GpuSpec& gpu_;
  Extents extents_;
  std::vector<IndexSet> shapes_;
  Plan plan_;
  int number_ = 0;
  Launch launch_;

 private:
  bool products_ = false, sums_ = false;
  IndexSet summed_ = 0, written_ = 0;
};

}  // namespace workbook::opt
