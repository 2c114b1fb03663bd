// Warp operations: the lanes that the mask names meet, and the last to arrive computes for all.
#include <algorithm>
#include <cstring>
#include <utility>

#include "engine.h"

namespace workbook::sim {
namespace {

constexpr std::uint64_t kUndefined = ~std::uint64_t{0};  // a NaN as float or double, -1 as an integer

/// The lane a shuffle reads, from the segment rules of the CUDA C++ Programming Guide, "Warp Shuffle
/// Functions".
int source_lane(const SimThread& t, int lane) {
  const int first = lane & ~(t.width - 1);
  const int last = first + t.width - 1;
  switch (t.op) {
    case WarpOp::shuffle:
      return first + (t.argument & (t.width - 1));
    case WarpOp::shuffle_up:
      return lane - t.argument < first ? lane : lane - t.argument;
    case WarpOp::shuffle_down:
      return lane + t.argument > last ? lane : lane + t.argument;
    case WarpOp::shuffle_xor:
      return (lane ^ t.argument) > last ? lane : lane ^ t.argument;
    default:
      return lane;
  }
}

bool is_shuffle(WarpOp op) { return op >= WarpOp::shuffle && op <= WarpOp::shuffle_xor; }

std::uint64_t reduce(WarpOp op, std::uint64_t left, std::uint64_t right) {
  const auto a = static_cast<std::uint32_t>(left), b = static_cast<std::uint32_t>(right);
  switch (op) {
    case WarpOp::add:
      return static_cast<std::uint32_t>(a + b);
    case WarpOp::min_signed:
      return static_cast<std::uint32_t>(std::min(static_cast<int>(a), static_cast<int>(b)));
    case WarpOp::max_signed:
      return static_cast<std::uint32_t>(std::max(static_cast<int>(a), static_cast<int>(b)));
    case WarpOp::min_unsigned:
      return std::min(a, b);
    case WarpOp::max_unsigned:
      return std::max(a, b);
    case WarpOp::bit_and:
      return a & b;
    case WarpOp::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

}  // namespace

void Worker::warp_collective(std::uint32_t mask, void* mine, void (*combine)(void* const*, std::uint32_t),
                             Pc pc) {
  current->combine = combine;
  warp_operation(WarpOp::collective, mask, reinterpret_cast<std::uint64_t>(mine), 0, kWarpSize, pc);
}

void Worker::warp_exchange(std::uint32_t mask, void* mine, void (*combine)(void* const*, std::uint32_t),
                           Pc pc) {
  current->combine = combine;
  warp_operation(WarpOp::exchange, mask, reinterpret_cast<std::uint64_t>(mine), 0, kWarpSize, pc);
}

void Worker::meet_group(void* mine, void (*combine)(void* const*, std::uint32_t), Pc pc) {
  current->combine = combine;
  warp_operation(WarpOp::group, ~0u, reinterpret_cast<std::uint64_t>(mine), 0, kWarpSize, pc);
}

std::uint64_t Worker::warp_operation(WarpOp op, std::uint32_t mask, std::uint64_t value, int argument,
                                     int width, Pc pc) {
  SimThread& t = *current;
  current = nullptr;
  const std::uint32_t warp = t.linear / kWarpSize;
  const std::uint32_t lane = t.linear % kWarpSize;
  t.op = op;
  t.mask = mask;
  t.value = value;
  t.argument = argument;
  t.width = width;
  t.wait_pc = pc;
  if (!(mask >> lane & 1u)) {
    if (events) events->see_bad_mask(t, "calls with a mask that does not name its own lane");
    t.mask = mask | 1u << lane;
  }
  t.status = Status::at_warp;
  warps_[warp].waiting |= 1u << lane;
  // No other group can be complete by this thread's coming.
  if (try_complete_group(warp, lane)) {
    // The last to arrive goes on at once: it was pushed last.
    ready_.erase(t.linear);
    make_current(&t);
  } else {
    switch_away(t);
  }
  // Told where its own calls can be read.
  if (t.missing_source >= 0) [[unlikely]]
    if (const int source = std::exchange(t.missing_source, std::int8_t{-1}); events)
      events->see_missing_source(t, source);
  return static_cast<std::uint64_t>(t.result);
}

// The group that `lane` waits for, if all its members have come. Others of its mask may still wait at an
// earlier operation of a part.
bool Worker::try_complete_group(std::uint32_t w, std::uint32_t lane) {
  const Warp& warp = warps_[w];
  const SimThread* const base = &threads_[w * kWarpSize];
  const SimThread& first = base[lane];
  const std::uint32_t needed = first.mask & warp.alive;
  if ((warp.waiting & needed) != needed) return false;
  for (std::uint32_t rest = needed; rest != 0; rest &= rest - 1) {
    const SimThread& t = base[__builtin_ctz(rest)];
    if (t.mask != first.mask || t.op != first.op) return false;
  }
  if (first.op == WarpOp::group) return try_complete_warp_group(w);
  complete_warp(w, needed, first.mask);
  return true;
}

// Completes one group of waiting lanes whose members have all come; false when none is complete.
bool Worker::try_complete_warp(std::uint32_t w) {
  for (std::uint32_t untried = warps_[w].waiting; untried != 0; untried &= untried - 1)
    if (try_complete_group(w, static_cast<std::uint32_t>(__builtin_ctz(untried)))) return true;
  return false;
}

/// Whether all lanes of the warp wait for their warp group.
bool Worker::has_met_group(std::uint32_t w) const {
  const Warp& warp = warps_[w];
  if (w * kWarpSize >= count_ || warp.alive == 0 || (warp.waiting & warp.alive) != warp.alive) return false;
  for (std::uint32_t rest = warp.alive; rest != 0; rest &= rest - 1)
    if (threads_[w * kWarpSize + static_cast<std::uint32_t>(__builtin_ctz(rest))].op != WarpOp::group)
      return false;
  return true;
}

bool Worker::try_complete_warp_group(std::uint32_t w) {
  const std::uint32_t first = w / kGroupWarps * kGroupWarps;
  for (std::uint32_t other = first; other < first + kGroupWarps; ++other)
    if (!has_met_group(other)) return false;
  complete_warp_group(first);
  return true;
}

/// With those of its warps that have come.
void Worker::complete_warp_group(std::uint32_t first) {
  made_progress();
  void* brought[kGroupWarps * kWarpSize] = {};
  std::uint32_t came = 0;
  const SimThread* one = nullptr;
  for (std::uint32_t w = 0; w < kGroupWarps; ++w) {
    if (!has_met_group(first + w)) continue;
    came |= 1u << w;
    Warp& warp = warps_[first + w];
    for (std::uint32_t rest = warp.alive; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
      SimThread& t = threads_[(first + w) * kWarpSize + lane];
      brought[w * kWarpSize + lane] = reinterpret_cast<void*>(t.value);
      one = &t;
      t.status = Status::ready;
      push_ready(&t);
    }
    warp.waiting = 0;
  }
  if (one != nullptr) one->combine(brought, came);
}

void Worker::tell_exchange(std::uint32_t w, std::uint32_t lanes) const {
  std::uint32_t whose[kWarpSize] = {};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const SimThread& t = threads_[w * kWarpSize + static_cast<std::uint32_t>(lane)];
    whose[lane] = is_shuffle(t.op) ? 1u << source_lane(t, lane) & lanes : lanes;
  }
  events->see_exchange(w * kWarpSize, lanes, whose);
}

void Worker::complete_warp(std::uint32_t w, std::uint32_t lanes, std::uint32_t mask) {
  made_progress();
  SimThread* const base = &threads_[w * kWarpSize];
  const WarpOp op = base[__builtin_ctz(lanes)].op;
  if (op != WarpOp::exchange) ++warp_operations;
  std::uint64_t common = 0;
  bool first = true;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const SimThread& t = base[lane];
    switch (op) {
      case WarpOp::ballot:
        common |= t.value << lane;
        break;
      case WarpOp::any:
        common |= t.value;
        break;
      case WarpOp::all:
        common = first ? t.value : common & t.value;
        break;
      default:
        if (is_reduction(op)) common = first ? t.value : reduce(op, common, t.value);
    }
    first = false;
  }
  const std::uint32_t threads = launch->block_threads - w * kWarpSize;
  const std::uint32_t absent = mask & ~lanes & (threads >= kWarpSize ? ~0u : (1u << threads) - 1u);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    SimThread& t = base[lane];
    t.result = static_cast<std::int64_t>(common);
    if (absent != 0 && is_reduction(op)) [[unlikely]]
      t.missing_source = kAbsentLanes, t.argument = static_cast<int>(absent);
    if (is_shuffle(t.op)) {
      const int source = source_lane(t, lane);
      if ((t.op == WarpOp::shuffle_up || t.op == WarpOp::shuffle_down) && t.argument >= t.width) [[unlikely]]
        t.missing_source = kPastWidth;
      if (lanes >> source & 1u) {
        t.result = static_cast<std::int64_t>(base[source].value);
      } else {
        t.result = static_cast<std::int64_t>(kUndefined);
        // Reducing by halves reads past the mask's end and drops what comes: usual, and harmless but in the
        // lane that the result is for.
        const bool named = (mask >> source & 1u) != 0;
        const int result_lane = t.op == WarpOp::shuffle_down ? __builtin_ctz(mask)
                                : t.op == WarpOp::shuffle_up ? kWarpSize - 1 - __builtin_clz(mask)
                                                             : lane;
        if (named || lane == result_lane) t.missing_source = static_cast<std::int8_t>(source);
      }
    } else if (op == WarpOp::match_any) {
      std::uint32_t same = 0;
      for (std::uint32_t other = lanes; other != 0; other &= other - 1)
        if (base[__builtin_ctz(other)].value == t.value) same |= 1u << __builtin_ctz(other);
      t.result = same;
    }
  }
  if (op == WarpOp::collective || op == WarpOp::exchange) {
    void* brought[kWarpSize] = {};
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      brought[__builtin_ctz(rest)] = reinterpret_cast<void*>(base[__builtin_ctz(rest)].value);
    base[__builtin_ctz(lanes)].combine(brought, lanes);
  }
  if (events && op != WarpOp::sync && events->follows_exchanges()) tell_exchange(w, lanes);
  if (op == WarpOp::sync) {
    // Only __syncwarp orders memory among its lanes; shuffles and votes do not (Programming Guide, 10.22).
    std::uint32_t joined[kWarpSize] = {};
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
      const SimThread& t = base[lane];
      for (int i = 0; i < kWarpSize; ++i) joined[i] = std::max(joined[i], clocks[t.linear][i]);
      joined[lane] = std::max(joined[lane], t.clock);
    }
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      SimThread& t = base[__builtin_ctz(rest)];
      std::memcpy(clocks[t.linear], joined, sizeof joined);
      ++t.clock;
    }
    if (events) events->pass_warp_barrier(w * kWarpSize, lanes);
  }
  warps_[w].waiting &= ~lanes;
  // The highest lane is pushed last; warp_operation() relies on the caller being the last one when it
  // completed.
  SimThread* caller = nullptr;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    SimThread& t = base[__builtin_ctz(rest)];
    t.status = Status::ready;
    if (t.fiber == active_) {
      caller = &t;
    } else {
      push_ready(&t);
    }
  }
  if (caller != nullptr) push_ready(caller);
}

}  // namespace workbook::sim
