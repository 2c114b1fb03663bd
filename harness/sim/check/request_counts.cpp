// What requests come to, one after another: by place, and what warps wait for.
#include <algorithm>
#include <cmath>
#include <utility>

#include "access_log.h"
#include "clock/model.h"
#include "request_shape.h"
#include "sim/engine/arena.h"

namespace workbook::sim {
namespace {

constexpr ModelConstants kClock;

}  // namespace

SiteCount& AccessLog::site(Place place) {
  Recent& recent = recent_[(place.bits() * 0x9e3779b1u) >> 24];
  if (recent.bits == place.bits()) return counts_[recent.index];
  const auto [found, fresh] = index_.try_emplace(place.bits(), static_cast<std::uint32_t>(counts_.size()));
  if (fresh) {
    counts_.emplace_back().place = place;
    latest_tensors_.emplace_back();
  }
  recent = {place.bits(), found->second};
  return counts_[found->second];
}

void AccessLog::note_tensor(SiteCount& site, std::uint32_t word) {
  LatestTensor& latest = latest_tensors_[static_cast<std::size_t>(&site - counts_.data())];
  if (word - latest.begin < latest.words && latest.releases == Arena::releases()) return;
  const Tensor tensor = tensor_of_(site.place.shared(), word);
  latest = {tensor.begin, tensor.words, Arena::releases()};
  if (tensor.id != site.tensor) site.tensor = site.tensor == -2 ? tensor.id : -1;
}

void AccessLog::end_underway() {
  underway_.clear();
  loads_underway_ = 0;
  chase_.arrived();
  underway_missed_ = underway_from_dram_ = false;
}

void AccessLog::load(Place place, std::uint32_t word, bool missed, bool first_touch) {
  if (place.copies()) {
    Copies& copies = copies_[warp_];
    copies.missed = copies.missed || missed;
    copies.dram = copies.dram || first_touch;
    copies.work_since_copy = 0.0;
    copy_stores_next_ = true;
    block_copies_.missed = block_copies_.missed || missed;
    block_copies_.dram = block_copies_.dram || first_touch;
    return;
  }
  if (chase_.see(place, word) == Chase::Index::is_under_way) end_underway();
  auto mine =
      std::find_if(underway_.begin(), underway_.end(), [&](const Underway& u) { return u.place == place; });
  const bool comes_again = mine != underway_.end();
  const bool next_part =
      comes_again && (chase_.under_way() ? loads_underway_ == kMostUnderway
                                         : (mine->times + 1) * underway_.size() > kTogether);
  if (next_part || underway_.size() == kMostUnderway) {
    end_underway();
    mine = underway_.end();
  }
  if (mine == underway_.end())
    underway_.push_back({place, 1});
  else
    ++mine->times;
  ++loads_underway_;
  if (missed && !std::exchange(underway_missed_, true)) {
    waits_.all += 1.0;
    work(first_touch ? kClock.dram_latency_clocks : kClock.l2_latency_clocks);
  } else {
    work(kClock.access_clocks);
  }
  if (first_touch && !std::exchange(underway_from_dram_, true)) waits_.dram += 1.0;
}

// A copy was begun `pending` stages and what was done since the latest copy ago. Of its latency that leaves
// a rest, and of the rest the stages that stay under way wait their part.
double AccessLog::part_waited_for(const Copies& copies, std::uint32_t pending) {
  const double latency = copies.dram ? kClock.dram_latency_clocks : kClock.l2_latency_clocks;
  const double hidden = pending * copies.work_since_wait + copies.work_since_copy;
  return std::max(0.0, 1.0 - hidden / latency) / (1.0 + pending);
}

void AccessLog::count_wait(std::uint32_t said) {
  if (said == kStageCommit) {
    copies_[warp_].work_since_copy = 0.0;
    return;
  }
  Copies copies = std::exchange(copies_[warp_], {});
  if ((said & kOfBlock) != 0) copies.missed = block_copies_.missed, copies.dram = block_copies_.dram;
  const double part = part_waited_for(copies, said & ~kOfBlock);
  if (copies.missed) waits_.all += part;
  if (copies.dram) waits_.dram += part;
}

void AccessLog::count(Place place, const WarpRequest& request) {
  if (place.waits()) return count_wait(request.word[__builtin_ctz(request.mask)]);
  SiteCount& site = this->site(place);
  if (!place.shared() && place.kind() != runs::Access::read) {
    end_underway();
    work(kClock.access_clocks);
  }
  const std::uint32_t bytes = place.bytes();
  const std::uint32_t lanes = ones(request.mask);
  const std::uint32_t first = request.word[__builtin_ctz(request.mask)] & (place.shared() ? ~kRemote : ~0u);
  note_tensor(site, first);
  ++site.requests;
  site.bytes += std::uint64_t{lanes} * bytes;
  const std::uint32_t wide = bytes > 4 ? bytes / 4 : 1;
  if (place.shared()) {
    if (!any_remote_) [[likely]]
      return count_shared(site, request, false);
    const auto [home, remote] = brought_home(request);
    return count_shared(site, home, remote);
  }
  // Loads go through the L1; stores and atomics are the L2's.
  const bool loads = place.kind() == runs::Access::read;
  std::uint32_t lines = 0, found = 0;
  bool first_touch = false, under_way = false;
  const Sectors sectors =
      for_each_line(request.word, request.mask, wide, [&](std::uint32_t line, std::uint32_t bits) {
        ++lines;
        if (!loads) return;
        const std::uint32_t hits = l1_.load(line, bits, warp_, under_way);
        found += ones_of_four(hits);
        if (hits != bits && !touched_.seen(line, bits & ~hits)) first_touch = true;
      });
  site.lines += lines;
  site.l1_sectors += found;
  if (loads) {
    const bool missed = found < sectors.touched;
    site.misses += missed;
    load(place, first, missed || under_way, first_touch);
  }
  site.sectors += sectors.touched;
  const std::uint32_t asked = bytes >= 4 ? sectors.words * 4 : std::min(sectors.words * 4, lanes * bytes);
  site.ideal_sectors += std::max(1u, (asked + 31) / 32);
}

void AccessLog::count_shared(SiteCount& site, const WarpRequest& request, bool remote) {
  const runs::Access kind = site.place.kind();
  const bool loads = kind == runs::Access::read;
  const bool waits = !loads || !shared_underway_;
  if (waits) ++waits_.shared, remote_underway_ = false;
  // What a copy stores is no work of the warp's.
  if (!std::exchange(copy_stores_next_, false))
    work(waits ? kClock.access_clocks : kClock.next_access_clocks);
  shared_underway_ = loads;
  if (remote) {
    ++remote_requests_;
    // Nothing waits for what it stores; an atomic's thread may.
    if (kind != runs::Access::write && !remote_underway_) ++waits_.remote;
    remote_underway_ = loads;
  }
  const std::uint32_t bytes = site.place.bytes(), wide = bytes > 4 ? bytes / 4 : 1;
  site.passes += kind == runs::Access::atomic ? atomic_passes(request.word, request.mask)
                                              : bank_passes(request.word, request.mask, wide);
}

/// The same request with words as they are numbered in each block, and whether any was another block's: lanes
/// that reach into several are taken to meet in banks as if all were one.
std::pair<WarpRequest, bool> AccessLog::brought_home(WarpRequest request) {
  bool remote = false;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    std::uint32_t& word = request.word[__builtin_ctz(rest)];
    remote = remote || (word & kRemote) != 0;
    word &= ~kRemote;
  }
  return {request, remote};
}

}  // namespace workbook::sim
