// Counters by source site: the lanes of a warp are matched into requests by (site, nth time) within a barrier
// interval, and each request is turned into 32-byte sectors or shared-memory passes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine.h"
#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::sim {

enum class Space : std::uint8_t { global, shared };

struct Request {
  std::uint32_t mask;
  std::uint32_t address[kWarpSize];  ///< global: arena offset / bytes of granule 4; shared: byte offset / 4
};

struct LaneCount {
  std::uint32_t interval = 0;
  std::uint32_t times = 0;
};

struct WarpRequests {
  std::uint32_t interval = 0;
  std::uint32_t stored = 0;  ///< of `requests`
  std::uint32_t most = 0;    ///< times the busiest lane came by; above kStored the rest is extrapolated
  std::unique_ptr<Request[]> requests;
};

struct Site {
  Pc pc = 0;
  Space space = Space::global;
  runs::Access kind = runs::Access::read;
  std::uint32_t bytes = 4;  ///< of one lane's access
  int tensor = -2;          ///< -2: none yet, -1: several
  double request_count = 0, sectors = 0, ideal_sectors = 0, passes = 0, bytes_asked = 0;
  bool approximate = false;
  std::vector<LaneCount> lanes;     ///< by thread of the block
  std::vector<WarpRequests> warps;  ///< by warp of the block
};

class SiteTable {
 public:
  /// Stored requests of one site, warp and interval; what comes after looks like them.
  static constexpr std::uint32_t kStored = 256;

  SiteTable();
  std::uint32_t find(Pc pc, Space space, runs::Access kind, std::uint32_t bytes) {
    const Recent& recent = recent_[pc % kRecent];
    if (recent.pc == pc && recent.space == space) return recent.site;
    return find_slowly(pc, space, kind, bytes);
  }
  Site& operator[](std::uint32_t index) { return *sites_[index]; }
  const Site& operator[](std::uint32_t index) const { return *sites_[index]; }
  std::size_t size() const { return sites_.size(); }

  /// Notes that `thread` made an access; `granule` is its address in units of 4 bytes.
  void note(Site& site, std::uint32_t thread, std::uint32_t granule, int tensor);
  /// Ends the barrier interval: turns the stored requests into counters.
  void end_interval();
  void clear_counters();
  /// The counters of every site that was used, times `scale` (blocks in all / blocks sampled), lines
  /// resolved.
  std::vector<runs::SiteCounters> take(const char* kernel, double scale) const;

 private:
  struct Dirty {
    Site* site;
    WarpRequests* warp;
  };
  static constexpr std::size_t kRecent = 1021;
  struct Recent {
    Pc pc = 0;
    Space space = Space::global;
    std::uint32_t site = 0;
  };
  std::uint32_t find_slowly(Pc pc, Space space, runs::Access kind, std::uint32_t bytes);
  void flush(Site& site, WarpRequests& requests);

  Recent recent_[kRecent];  ///< by pc, to spare most accesses the search

  std::vector<std::unique_ptr<Site>> sites_;
  std::vector<std::uint32_t> index_;  ///< open addressing by pc: site number + 1
  std::vector<Dirty> dirty_;
  std::uint32_t interval_ = 1;
};

}  // namespace workbook::sim
