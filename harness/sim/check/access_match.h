// Which accesses of the lanes of a warp belong together once the lanes have taken different ways. For the
// access log.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runs/trace.h"
#include "sim/engine/engine.h"

namespace workbook::sim {

/// Where in the program an access is made and what it is, in 32 bits: the offset of its return address (26),
/// shared or global (1), read, write or atomic (2; the fourth value is a read that an asynchronous copy
/// makes, and in shared memory a wait for such copies), log2 of its bytes (3).
class Place {
 public:
  Place() = default;
  Place(std::uint32_t pc_offset, bool shared, runs::Access kind, std::uint32_t bytes)
      : bits_(pc_offset << 6 | static_cast<std::uint32_t>(shared) << 5 |
              static_cast<std::uint32_t>(kind) << 3 | static_cast<std::uint32_t>(__builtin_ctz(bytes))) {}
  std::uint32_t pc_offset() const { return bits_ >> 6; }
  bool shared() const { return (bits_ >> 5 & 1u) != 0; }
  runs::Access kind() const {
    return copies() ? runs::Access::read : static_cast<runs::Access>(bits_ >> 3 & 3u);
  }
  bool copies() const { return (bits_ >> 3 & 3u) == kCopies; }
  bool waits() const { return shared() && copies(); }
  /// The same place as one from which an asynchronous copy reads.
  Place as_copy() const {
    Place place;
    place.bits_ = bits_ | kCopies << 3;
    return place;
  }
  static Place wait() { return Place(0, true, runs::Access::read, 1).as_copy(); }
  std::uint32_t bytes() const { return 1u << (bits_ & 7u); }
  std::uint32_t bits() const { return bits_; }
  bool operator==(const Place&) const = default;

 private:
  static constexpr std::uint32_t kCopies = 3;
  std::uint32_t bits_ = 0;
};

struct LoggedAccess {
  Place place;
  std::uint32_t word;   ///< its address in units of 4 bytes
  std::uint32_t reach;  ///< how far the thread came in the program since its access before, as Place has it
};

/// What lanes of a warp ask for at the same time at one place.
struct WarpRequest {
  std::uint32_t mask = 0;
  std::uint64_t order = 0;  ///< among the requests of its warp, where lanes took different ways
  std::uint32_t word[kWarpSize];
};

struct PlaceRequests {
  Place place;
  std::vector<WarpRequest> requests;
  bool approximate = false;  ///< not all lanes take part in each of them
};

/// `lanes`: what each of the 32 has done since the warp was last together; may be empty. `from` (0 or 1): the
/// first that is asked for; what stands before it says where the lanes come from.
///
/// A GPU brings lanes together again behind a branch and behind a loop, so an access belongs with those of
/// other lanes at that place in the same turn of every loop around it. A thread that has been further down in
/// the program than where it makes its next access has jumped back from there: that is where a loop ends, and
/// its next turn begins. Where that leaves more requests than putting the nth access of each lane at a place
/// together, the nth are put together. The order is that of the first lane that makes each; what another lane
/// alone asks for comes where that one has it.
std::vector<PlaceRequests> match_diverged(const std::span<const LoggedAccess> (&lanes)[kWarpSize],
                                          std::size_t from);

}  // namespace workbook::sim
