#include "access_log.h"

#include <algorithm>
#include <span>
#include <utility>

#include "clock/model.h"
#include "request_shape.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

constexpr std::uint32_t kFewLanes = 4;  ///< so few are taken from the log one by one

}  // namespace

void AccessLog::begin_launch(std::uint32_t block_threads, TensorOf tensor_of) {
  constexpr std::size_t kWarps = kMaxThreads / kWarpSize;
  if (!words_) {
    words_ = std::make_unique_for_overwrite<Words[]>(kWarps * (kWarpStride / kTogetherInMemory));
    warp_ways_ = std::make_unique_for_overwrite<Way[]>(kWarps * kWayStride);
    own_ways_ = std::make_unique_for_overwrite<Way[]>(std::size_t{kMaxThreads} * kWayStride);
  }
  for (std::uint32_t first = 0; first < block_threads; first += kWarpSize) restart(first);
  threads_ = block_threads;
  l1_.clear();
  touched_.clear();
  waits_ = {};
  any_remote_ = false;
  remote_requests_ = 0;
  tensor_of_ = tensor_of;
  counts_.clear();
  latest_tensors_.clear();
  index_.clear();
  std::fill(std::begin(recent_), std::end(recent_), Recent{});
}

/// Nothing is in the windows of a warp.
void AccessLog::restart(std::uint32_t first_thread) {
  const std::uint32_t warp = first_thread / kWarpSize;
  Way* const ways = ways_of(warp);
  *ways = {};
  for (std::uint32_t l = 0; l < kWarpSize; ++l)
    cursors_[first_thread + l] = {ways, words_of(warp) + l * kTogetherInMemory, ways + kWindow};
  std::fill_n(diverged_at_ + first_thread, kWarpSize, kWindow);
  warp_diverged_at_[warp] = kWindow;
}

/// Of an access whose way is not the one that is known of its warp. Beyond what any lane has done stands a
/// place that is none, as in a lane's own ways.
void AccessLog::append_way(std::uint32_t thread, Way way) {
  const std::uint32_t warp = thread / kWarpSize, i = length(thread);
  Cursor& c = cursors_[thread];
  if (diverged_at_[thread] == kWindow) {
    // Where lanes come from counts from their second access on.
    if (c.way->place != Place() && !(i == 0 && c.way->place == way.place)) {
      diverged_at_[thread] = i;
      warp_diverged_at_[warp] = std::min(warp_diverged_at_[warp], i);
      c.way = own_ways_of(thread) + i;
      c.end = own_ways_of(thread) + kWindow;
    }
  }
  const bool first = c.way->place == Place() || diverged_at_[thread] != kWindow;
  c.way[0] = way;
  if (first) c.way[1] = {};
}

/// To those that are looked at, what the thread has done from one of its accesses on to another.
void AccessLog::append_diverged(std::uint32_t thread, std::uint32_t from, std::uint32_t end) {
  const std::uint32_t warp = thread / kWarpSize, own_from = diverged_at_[thread];
  const Way *const shared = ways_of(warp), *const own = own_ways_of(thread);
  const std::uint32_t* const words = words_of(warp) + thread % kWarpSize * kTogetherInMemory;
  const auto base = static_cast<std::uint32_t>(program_base());
  for (std::uint32_t i = from; i < end; ++i) {
    const Way& way = i < own_from ? shared[i] : own[i];
    const std::uint32_t word =
        words[i / kTogetherInMemory * kTogetherInMemory * kWarpSize + i % kTogetherInMemory];
    diverged_.push_back({way.place, word, way.reach == 0 ? 0 : way.reach - base});
  }
}

void AccessLog::flush() {
  l1_.begin_interval();
  for (std::uint32_t first = 0; first < threads_; first += kWarpSize) {
    const std::uint32_t end = std::min<std::uint32_t>(kWarpSize, threads_ - first);
    std::uint32_t lanes = 0, shortest = kWindow, longest = 0;
    for (std::uint32_t l = 0; l < end; ++l) {
      const std::uint32_t done = length(first + l);
      if (done == 0) continue;
      lanes |= 1u << l;
      shortest = std::min(shortest, done);
      longest = std::max(longest, done);
    }
    if (lanes == 0) continue;
    flush_warp(first, lanes, shortest, longest);
    restart(first);
  }
}

// As long as all lanes are at the same place with the same number of accesses behind them, and came there by
// the same way, their next ones are one request; lanes that end early only leave it.
void AccessLog::flush_warp(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t shortest,
                           std::uint32_t longest) {
  const auto length_of = [&](std::uint32_t lane) { return length(first_thread + lane); };
  WarpRequest requests[kTogetherInMemory];
  end_underway();
  chase_.forget();
  shared_underway_ = remote_underway_ = false;
  warp_ = first_thread / kWarpSize;
  const std::uint32_t diverged_at = warp_diverged_at_[warp_];
  const Way* const ways = ways_of(warp_);
  work(ModelConstants().barrier_clocks);  // which is why a block takes stock, as a rule
  for (std::uint32_t i = 0; i < longest; ++i) {
    if (i == shortest) {
      shortest = kWindow;
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<std::uint32_t>(__builtin_ctz(rest));
        if (length_of(l) == i)
          lanes &= ~(1u << l);
        else
          shortest = std::min(shortest, length_of(l));
      }
    }
    if (i == diverged_at) return flush_diverged(first_thread, lanes, i);
    if (i % kTogetherInMemory == 0) {
      const std::uint32_t* const words = words_of(warp_) + i * kWarpSize;
      const auto take = [&](std::uint32_t l) {
        for (std::uint32_t k = 0; k < kTogetherInMemory; ++k)
          requests[k].word[l] = words[l * kTogetherInMemory + k];
      };
      if (ones(lanes) <= kFewLanes)
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
          take(static_cast<std::uint32_t>(__builtin_ctz(rest)));
      else
        for (std::uint32_t l = 0; l < kWarpSize; ++l) take(l);
    }
    WarpRequest& request = requests[i % kTogetherInMemory];
    request.mask = lanes;
    count(ways[i].place, request);
  }
}

void AccessLog::flush_diverged(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t from) {
  std::span<const LoggedAccess> left[kWarpSize];
  const std::uint32_t known = from > 0;  // the access before tells from where the lanes went different ways
  from -= known;
  std::size_t all = 0;
  for (std::uint32_t l = 0; l < kWarpSize; ++l)
    if ((lanes >> l & 1u) != 0) all += length(first_thread + l) - from;
  diverged_.clear();
  diverged_.reserve(all);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<std::uint32_t>(__builtin_ctz(rest));
    LoggedAccess* const begin = diverged_.data() + diverged_.size();
    const std::uint32_t end = length(first_thread + l);
    append_diverged(first_thread + l, from, end);
    left[l] = {begin, end - from};
  }
  const std::vector<PlaceRequests> places = match_diverged(left, known);
  std::vector<std::pair<Place, const WarpRequest*>> in_order;
  for (const PlaceRequests& at : places)
    for (const WarpRequest& request : at.requests) in_order.emplace_back(at.place, &request);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const auto& x, const auto& y) { return x.second->order < y.second->order; });
  for (const auto& [place, request] : in_order) count(place, *request);
  for (const PlaceRequests& at : places)
    if (!at.place.waits()) site(at.place).approximate |= at.approximate;
}

}  // namespace workbook::sim
