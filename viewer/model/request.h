// One request of a warp, read off the trace: what its 32 lanes ask for at one line, and the 32-byte sectors
// of global memory or the banks of shared memory that serve them. For the Memory panel.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/access.h"
#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::viewer {

inline constexpr std::int64_t kSectorBytes = 32;  ///< what one access of the L2 cache fetches
inline constexpr std::int64_t kLineBytes = 128;   ///< a line of the caches: four sectors
inline constexpr int kBanks = 32;                 ///< of shared memory, each 4 bytes wide

/// One line of a kernel doing one kind of access to one tensor, with what the simulator counted there.
struct Site {
  runs::SourceLine at;
  int tensor = -1;  ///< runs::TensorInfo::id
  runs::Access access = runs::Access::read;
  bool shared = false;
  bool traced = false;   ///< the trace has accesses of it, so it can be drawn
  bool counted = false;  ///< the figures below hold
  bool approximate = false;
  std::int64_t requests = 0, sectors = 0, ideal_sectors = 0, bank_passes = 0, bytes = 0;
  /// How much more than needed a request costs: sectors against the fewest, or passes against one; 1 is best.
  double waste() const;
  double per_request() const;  ///< sectors, or passes over the banks
  std::string kind() const;    ///< "global load", "shared store", "shared atomic"
};

/// The sites of a launch, worst first and then by traffic. `counters` may be null.
std::vector<Site> sites_of(const AccessIndex& accesses, int launch, const runs::LaunchCounters* counters);

struct Lane {
  bool active = false;
  std::int64_t element = 0;
  std::int64_t count = 1;  ///< consecutive elements: 4 for a float4
};

struct Request {
  std::array<Lane, kWarp> lanes;
  int tensor = -1;  ///< of the first lane
  int step = 0;     ///< barriers the block had passed
  int active() const;
};

/// The k-th entry holds the k-th access of each lane of the warp at the site. Lanes that came there more
/// seldom than others are missing from the last ones.
std::vector<Request> requests_at(const AccessIndex& accesses, int launch, int block, int warp,
                                 const Site& site);
/// The warps of a block that have requests at the site, ascending.
std::vector<int> warps_at(const AccessIndex& accesses, int launch, int block, const Site& site);
/// The blocks that have, ascending.
std::vector<int> blocks_at(const AccessIndex& accesses, int launch, const Site& site);

struct Sector {
  std::int64_t number = 0;  ///< byte offset in the tensor / 32
  std::uint32_t lanes = 0;  ///< bits of the lanes it serves
  std::uint32_t used = 0;   ///< bits of its bytes that were asked for
  int bytes_used() const { return __builtin_popcount(used); }
};

/// A request to global memory. The tensor is taken to begin at a line, as cudaMalloc's memory does.
struct Fetch {
  std::vector<Sector> sectors;  ///< ascending
  std::int64_t lines = 0;       ///< 128-byte lines
  std::int64_t ideal = 0;       ///< the fewest sectors that hold the bytes asked for
  std::int64_t bytes_used = 0;  ///< distinct bytes asked for
  std::int64_t bytes_fetched() const { return kSectorBytes * static_cast<std::int64_t>(sectors.size()); }
};
Fetch fetch_of(const Request& request, std::int64_t element_bytes);

/// A 4-byte word that a bank has to deliver.
struct BankWord {
  std::int64_t word = 0;  ///< byte offset in the array / 4
  std::uint32_t lanes = 0;
};

/// A request to shared memory. A bank delivers one word a pass, to every lane that wants it.
struct Banks {
  std::array<std::vector<BankWord>, kBanks> words;  ///< ascending
  int passes = 0;  ///< as the simulator counts them: accesses of 8 and 16 bytes go by halves and quarters
  int worst_bank = 0;
  int turns = 1;  ///< words of a bank that go in one pass: 4 for a float4, a quarter of the warp each
  bool broadcast = false;  ///< some word goes to several lanes
};
/// Atomics of several lanes on one word take turns: a pass each.
Banks banks_of(const Request& request, std::int64_t element_bytes, bool atomic);

/// "8 sectors where 4 would do: half of what is fetched is used".
std::string describe(const Request& request, const Fetch& fetch, bool writes);
std::string describe(const Banks& banks, bool atomic);

/// Bytes of an element of this type: 4 for "f32".
std::int64_t element_bytes(const std::string& dtype);

}  // namespace workbook::viewer
