// The second stage: launches, grids, loops and tiles for the graphs that the algebra found, priced by the
// clock that judges learners. Not covered, and said: split-K, attention with a running maximum in a loop.
#pragma once

#include <functional>

#include "opt/price.h"

namespace workbook::opt {

struct Scheduled {
  Plan plan;
  Price price;
};

struct Schedule {
  std::vector<Scheduled> plans;  ///< cheapest first; of each way to divide a graph into launches the best
  std::int64_t priced = 0;       ///< launches with their cuts that were priced
  int unstable = 0;              ///< graphs left out: an exp would overflow and no maximum could be put in
};

/// `graphs`: equal ones, over the program's inputs. Looks at no more than kScheduledGraphs of them.
Schedule schedule(const Program& program, const std::vector<Graph>& graphs, const sim::GpuSpec& gpu,
                  const std::function<bool()>& stop = {});
inline constexpr std::size_t kScheduledGraphs = 8;

/// The program as it stands, every product in a launch of its own, and what lies between products; without
/// products every operation. Nothing where that are more launches than a plan has.
std::optional<Scheduled> unfused(const Program& program, const sim::GpuSpec& gpu);

/// The best cuts of a graph that is divided into launches so, a bit a node; nothing where one cannot be.
std::optional<Scheduled> best_cuts(const Program& program, const Graph& graph,
                                   const std::vector<std::uint64_t>& parts, const sim::GpuSpec& gpu);

/// The same graph with exp(u - max u) where an exp is summed: verified to be equal. Nothing where it is not,
/// the graph itself where no exp is summed.
std::optional<Graph> stabilised(const Program& program, const Graph& graph);

/// Whether an exp stands between two products, as in attention: one loop over both needs a running maximum,
/// which no path of emission has, and plans without it are not worth building.
bool is_attention(const Graph& graph);

}  // namespace workbook::opt
