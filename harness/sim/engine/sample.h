// Which blocks of a launch run when it is only counted: some, spread over the grid, unless they depend on
// each other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine.h"

namespace workbook::sim {

/// A cluster counts as a block. Blocks depend on each other where one waits for another, where one signals (a
/// fence between its writes, as the last block of a reduction has it), or where the first takes the others'
/// work from a counter. Then all of them run.
class Sample {
 public:
  /// About as many blocks as make `accesses`; those that make none do not count.
  Sample(const Launch& launch, std::uint64_t accesses);

  /// The next block, or cluster, to run. `waiting`: one that has begun waits for one that has not.
  std::optional<std::uint64_t> next(bool waiting);
  /// After the launch: scales what each tensor's traffic came to. Returns how many blocks ran.
  std::uint64_t finish();

 private:
  struct Touched {
    std::int64_t read, written;
  };
  struct Spent {
    std::uint64_t accesses = 0, fences = 0;
    std::int64_t atomics = 0;
  };
  void plan();
  Spent spent() const;
  static std::vector<Touched> touched_sectors();

  const Launch& launch_;
  std::uint64_t budget_, units_, unit_blocks_, wanted_ = 1, ran_ = 0, cursor_ = 0;
  std::uint64_t idle_ = 0, accesses_before_ = 0;
  bool all_ = false;
  Spent first_;
  std::vector<bool> has_run_;
  std::vector<Touched> first_touched_;
};

}  // namespace workbook::sim
