// Temporary storage of cub::WarpReduce and cub::WarpScan: CUB asks for a __syncwarp() before it is used
// again. Nothing lies in it, so that what it does to programs today is nothing: advice.
#pragma once

#include <array>
#include <unordered_map>

#include "check.h"

namespace workbook::sim {

class Races;

class WarpStorage {
 public:
  void begin_block() { used_.clear(); }
  void use(Scene& scene, const Races& races, std::uintptr_t storage, unsigned int width, Pc pc);

 private:
  struct Use {
    std::uint32_t times = 0;  ///< that the lane has used it
    std::uint32_t thread, epoch, clock, pc;
  };
  std::unordered_map<std::uintptr_t, std::array<Use, kWarpSize>> used_;  ///< by lane: the latest one
};

}  // namespace workbook::sim
