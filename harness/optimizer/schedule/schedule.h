// The second stage: launches, grids, loops and tiles for the graphs that the algebra found, priced by the
// clock that judges learners.
#pragma once

#include <functional>

#include "optimizer/schedule/price.h"

namespace workbook::opt {

struct Scheduled {
  Plan plan;
  Price price;
};

/// Of one graph.
struct GraphPlans {
  std::vector<Scheduled> plans;  ///< of each way to divide it the best
  std::int64_t priced = 0;       ///< launches with their cuts that were looked at
  bool stopped = false;          ///< before all ways were gone through
};

inline constexpr std::size_t kScheduledGraphs = 5, kShownPlans = 50;

struct Schedule {
  std::vector<Scheduled> plans;  ///< cheapest first; behind the first kShownPlans without their launches
  std::optional<Scheduled> unfused;
  std::int64_t priced = 0;
  int unstable = 0;        ///< graphs left out: an exp would overflow and no maximum could be put in
  bool overflows = false;  ///< that was so with the program itself, which is taken as it is
  bool stopped = false;    ///< before all ways were gone through
};

class ScheduleStore;  // schedule_store.h
class LaunchMemo;     // launch_memo.h
struct ScheduleOptions {
  std::function<bool()> stop =
      {};  ///< asked by all threads; then the best so far, at least of the program itself
  unsigned threads = 1;
  ScheduleStore* store = nullptr;  ///< what is found is kept there, what is there is not looked for
  LaunchMemo* memo =
      nullptr;  ///< of earlier calls for the same program and GPU: those go on where they stopped
};

/// `graphs`: equal ones, over the program's inputs. Looks at no more than kScheduledGraphs of them, and at
/// the program as it stands (unfused); where no maximum can be put into any of them, at the program without.
/// Any number of threads, with and without a store, gives the same answer.
Schedule schedule(const Program& program, const std::vector<Graph>& graphs, const sim::GpuSpec& gpu,
                  const ScheduleOptions& options = {});

/// The program as it stands, every product in a launch of its own, and what lies between products; without
/// products, and where that cannot be cut, every operation.
std::optional<Scheduled> unfused(const Program& program, const sim::GpuSpec& gpu,
                                 ScheduleStore* store = nullptr, const std::function<bool()>& stop = {});

/// Ways to give each operation a launch not before its operands', launches without a gap. All of them for a
/// small graph; else sums and products are divided in all ways, and what is elementwise goes with what
/// it reads, with what reads it, or behind all sums into a launch of its own.
std::vector<std::vector<std::uint64_t>> partitions_of(const Graph& graph);

/// The best cuts of a graph that is divided into launches so, a bit a node; nothing where one cannot be. From
/// the store it is without the price's launches.
std::optional<Scheduled> best_cuts(const Program& program, const Graph& graph,
                                   const std::vector<std::uint64_t>& parts, const sim::GpuSpec& gpu,
                                   ScheduleStore* store = nullptr, const std::function<bool()>& stop = {});

/// The same graph with exp(u - max u) where an exp is summed: verified to be equal. Nothing where it is not,
/// the graph itself where no exp is summed.
std::optional<Graph> stabilised(const Program& program, const Graph& graph);

/// The program over its true inputs, with such maxima where there can be.
Graph as_it_stands(const Program& program);

}  // namespace workbook::opt
