// What the second stage has found, in the store (store.h): the plans of a graph, or its best cuts where it is
// divided into launches in one way. A row each, written as soon as it is known, so that a schedule that was
// ended goes on where it was. The key is a hash of all that prices depend on: the graph with its real sizes
// and types, the GPU, and the sources of this library and of the clock. A row that does not read back as it
// was written, or whose best plan has another price by now, is as good as none.
#pragma once

#include "optimizer/schedule/schedule.h"
#include "optimizer/store/store.h"

namespace workbook::opt {

/// May be used by several threads at once.
class ScheduleStore {
 public:
  ScheduleStore(SearchStore& store, const Program& program, const sim::GpuSpec& gpu)
      : store_(store), program_(program), gpu_(gpu) {}

  /// `parts`: a bit a node for each launch; none: all ways to divide the graph. Of the prices that are
  /// loaded, the launches are missing.
  std::optional<GraphPlans> load(const Graph& graph, const std::vector<std::uint64_t>& parts) const;
  void save(const Graph& graph, const std::vector<std::uint64_t>& parts, const GraphPlans& plans);

  std::string key(const Graph& graph, const std::vector<std::uint64_t>& parts) const;

 private:
  SearchStore& store_;
  const Program& program_;
  const sim::GpuSpec& gpu_;
};

}  // namespace workbook::opt
