// Barriers that some threads of a block never came to: how they got past, and what is said of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runs/record.h"
#include "sim/source/pc.h"

namespace workbook::sim {

struct NamedThread {
  runs::ThreadId id;
  std::string name;
};

/// What a block's threads did while others of it waited at `barrier`.
struct PassedBarrier {
  std::string kernel;
  Pc barrier;
  NamedThread waiting;
  NamedThread gone;          ///< the first of those that had ended
  Pc last_access;            ///< theirs
  std::uint32_t gone_count;  ///< of the block, with this last access
};

class PassedBarriers {
 public:
  void add(const PassedBarrier& passed);
  /// One finding a barrier. All are errors where whole blocks are wanted: a puzzle's barrier is for all
  /// threads of its block. Elsewhere it is a warning where the threads may have returned: a GPU since Volta
  /// waits only for threads that have not ended, and programs rely on it.
  std::vector<runs::Finding> take(bool whole_blocks);

 private:
  struct Seen {
    PassedBarrier first;
    std::int64_t count;
  };
  std::map<std::pair<Pc, Pc>, Seen> seen_;
};

}  // namespace workbook::sim
