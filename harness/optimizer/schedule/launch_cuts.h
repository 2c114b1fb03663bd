// The cuts of a launch: grids, loops, tiles, warps and forms that are worth trying, each priced alone.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "optimizer/launch/cuts.h"

namespace workbook::opt {

class LaunchCutter final : private Cuts {
 public:
  /// `stop`: asked before each cut but the first that can be; then the best so far.
  LaunchCutter(const Program& program, const Graph& graph, const sim::GpuSpec& gpu,
               const std::function<bool()>& stop)
      : Cuts(program, graph, gpu), stop_(stop) {}

  /// Of launch `number` of the plan the best, for each number of parts in which it leaves its sums: more
  /// parts only where they are worth it here. `launch`: it, whole; `before`: the launches before it, with
  /// their cuts.
  std::vector<Kernel> best_kernels(const Plan& given, int number, const Launch& launch,
                                   const std::vector<Launch>& before);

  std::int64_t priced() const { return priced_; }  ///< launches with their cuts, so far

 private:
  void consider(const Kernel& kernel) override;
  std::optional<Launch> legal(const Kernel& kernel) override;
  bool any() const override { return !candidates_.empty(); }

  struct Candidate {
    double us;
    std::int64_t sectors;  ///< that its blocks ask the L2 for
    Kernel kernel;
  };
  const Candidate& pick(const std::vector<Candidate>& candidates) const;

  const std::function<bool()>& stop_;
  /// Of the launch at work, by the parts that it leaves sums in.
  std::map<int, std::vector<Candidate>> candidates_;
  const std::vector<Launch>* before_ = nullptr;
  std::int64_t priced_ = 0;
};

}  // namespace workbook::opt
