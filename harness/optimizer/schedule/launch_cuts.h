// The cuts of a launch: grids, loops, tiles, warps and paths that are worth trying, each priced alone.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "optimizer/schedule/price.h"

namespace workbook::opt {

struct AttentionShape;
struct TensorShape;

class LaunchCutter {
 public:
  /// `stop`: asked before each cut but the first that can be; then the best so far.
  LaunchCutter(const Program& program, const Graph& graph, const sim::GpuSpec& gpu,
               const std::function<bool()>& stop);

  /// Of launch `number` of the plan the best, for each number of parts in which it leaves its sums: more
  /// parts only where they are worth it here. `launch`: it, whole; `before`: the launches before it, with
  /// their cuts.
  std::vector<Kernel> best_kernels(const Plan& given, int number, const Launch& launch,
                                   const std::vector<Launch>& before);

  std::int64_t priced() const { return priced_; }  ///< launches with their cuts, so far

 private:
  void consider(Plan& plan, int number);
  void try_row(Plan& plan, int number, const Launch& launch, int warps, int beside);
  void try_pieces(Plan& plan, int number, const Launch& launch, int warps);
  void try_tensor(Plan& plan, int number, const Launch& launch);
  struct TensorCut {
    int warps, stages, beside;
    std::int64_t rows, columns, step;  ///< of tiles
  };
  void cut_rows(Kernel& kernel, const std::vector<int>& rows, std::int64_t blocks) const;
  void cut_tensor(Plan& plan, int number, const TensorShape& shape, const TensorCut& cut);
  void try_cuts(Plan& plan, int number, const std::vector<Kernel>& cuts);
  void try_gemv(Plan& plan, int number, const Launch& launch);
  bool try_attention(Plan& plan, int number, IndexSet summed);
  void cut_attention(Plan& plan, int number, const AttentionShape& indices, std::int64_t keys);
  void try_tiles(Plan& plan, int number, IndexSet written, IndexSet summed, bool products);
  void cut_axes(Plan& plan, int number, const std::vector<int>& axes, std::size_t at, std::int64_t elements);
  void cut_sums(Plan& plan, int number);
  bool is_legal(Plan& plan, int number, Path path, int loop, int parts) const;
  bool is_batch(std::uint64_t nodes, int index) const;

  struct Candidate {
    double us;
    std::int64_t sectors;  ///< that its blocks ask the L2 for
    Kernel kernel;
  };
  const Candidate& pick(const std::vector<Candidate>& candidates) const;

  const Program& program_;
  const Graph& graph_;
  const sim::GpuSpec& gpu_;
  const std::function<bool()>& stop_;
  Extents extents_;
  std::vector<IndexSet> shapes_;
  std::uint64_t halves_ = 0;  ///< of the launch at work, where nothing is cut
  /// Of the launch at work, by the parts that it leaves sums in.
  std::map<int, std::vector<Candidate>> candidates_;
  const std::vector<Launch>* before_ = nullptr;
  int looped_ = -1;
  std::int64_t least_tile_ = 1;  ///< elements of what a block writes
  std::int64_t turns_ = 1;
  bool splits_ = false;
  std::int64_t priced_ = 0;
};

}  // namespace workbook::opt
