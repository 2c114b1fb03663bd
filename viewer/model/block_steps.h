// What one block does between its barriers, in the order a learner follows it: steps, and in each the moments
// at which its threads run one source line together. For the Steps panel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/access.h"
#include "model/source_text.h"

namespace workbook::viewer {

/// One line of the source run by the block's threads once, side by side as warps run it: the simulator runs a
/// thread at a time, and its order is no part of the program.
struct Moment {
  int step = 0;
  int file = 0, line = 0;
  int round = 0, rounds = 1;  ///< the which time in this step that the line runs: in a loop, its turn; from 0
  int threads = 0;            ///< that take part
  std::size_t begin = 0, end = 0;  ///< of BlockSteps::events
};

/// What threads did to one tensor in a moment or a step.
struct TensorUse {
  int tensor = 0;
  bool written = false;
  int threads = 0;
  std::int64_t least = 0, most = 0;  ///< elements a thread, distinct ones
};

class BlockSteps {
 public:
  BlockSteps() = default;
  BlockSteps(const AccessIndex& index, int launch, int block);

  int steps() const { return static_cast<int>(first_.size()); }
  const std::vector<Moment>& moments() const { return moments_; }
  /// Moments of a step: [first, last). None where threads only waited.
  int first(int step) const { return first_[static_cast<std::size_t>(step)]; }
  int last(int step) const {
    return step + 1 < steps() ? first(step + 1) : static_cast<int>(moments_.size());
  }
  std::span<const runs::TraceEvent> events(const Moment& moment) const {
    return {events_.data() + moment.begin, moment.end - moment.begin};
  }
  std::span<const runs::TraceEvent> events_of_step(int step) const;

 private:
  void add_step(const AccessIndex& index, const std::vector<std::uint32_t>& numbers);

  std::vector<runs::TraceEvent> events_;  // by moment, and in order of threads within
  std::vector<Moment> moments_;
  std::vector<int> first_;
};

/// In the order in which the tensors are first touched, reads before writes.
std::vector<TensorUse> uses_of(std::span<const runs::TraceEvent> events);

/// "each thread reads 16 elements of a_tile and 16 of b_tile, 128 of 256 threads read 1 of x".
std::string describe(const AccessIndex& index, int launch, std::span<const runs::TraceEvent> events);
/// "given.cuh:43-44": the lines of the events, those of one file.
std::string lines_of(const AccessIndex& index, std::span<const runs::TraceEvent> events);

/// Where the barrier after a step stands. A trace holds accesses only: between two of them the source, where
/// it is at hand, says which line it is.
struct BarrierPlace {
  std::string file;
  int line = 0;               ///< 0: not known
  int after = 0, before = 0;  ///< the last line touched before it, the first one after
};
/// `sources`: by number of the file in the trace; fewer, or without lines, where they are not at hand.
BarrierPlace barrier_after(const AccessIndex& index, const BlockSteps& steps, int step,
                           const std::vector<SourceText>& sources);
/// "barrier at kernels.cu:113", "barrier between given.cuh:44 and 46".
std::string format_barrier(const BarrierPlace& place);

}  // namespace workbook::viewer
