#include "sites.h"

#include <algorithm>
#include <cmath>

#include "symbols.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kIndexSlots = 1 << 14;

std::size_t slot_of(Pc pc) { return (pc * 0x9e3779b97f4a7c15ull >> 40) & (kIndexSlots - 1); }

/// Distinct values among the active lanes after a right shift, sorted ascending into `out`; their number.
int distinct(const Request& request, int shift, std::uint32_t extent, std::uint32_t* out) {
  int count = 0;
  bool sorted = true;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = request.address[__builtin_ctz(rest)];
    for (std::uint32_t value = first >> shift; value <= (first + extent) >> shift; ++value) {
      if (count > 0 && out[count - 1] == value) continue;
      sorted = sorted && (count == 0 || out[count - 1] < value);
      out[count++] = value;
    }
  }
  if (!sorted) {
    std::sort(out, out + count);
    count = static_cast<int>(std::unique(out, out + count) - out);
  }
  return count;
}

}  // namespace

SiteTable::SiteTable() : index_(kIndexSlots, 0) {}

std::uint32_t SiteTable::find_slowly(Pc pc, Space space, runs::Access kind, std::uint32_t bytes) {
  std::size_t slot = slot_of(pc);
  while (index_[slot] != 0) {
    const Site& site = *sites_[index_[slot] - 1];
    if (site.pc == pc && site.space == space) {
      recent_[pc % kRecent] = {pc, space, index_[slot] - 1};
      return index_[slot] - 1;
    }
    slot = (slot + 1) & (kIndexSlots - 1);
  }
  auto site = std::make_unique<Site>();
  site->pc = pc;
  site->space = space;
  site->kind = kind;
  site->bytes = bytes;
  sites_.push_back(std::move(site));
  index_[slot] = static_cast<std::uint32_t>(sites_.size());
  return index_[slot] - 1;
}

void SiteTable::note(Site& site, std::uint32_t thread, std::uint32_t granule, int tensor) {
  if (site.lanes.size() <= thread) {
    site.lanes.resize(kMaxThreads);
    site.warps.resize(kMaxWarps);
  }
  LaneCount& lane = site.lanes[thread];
  if (lane.interval != interval_) lane = {interval_, 0};
  const std::uint32_t nth = lane.times++;
  WarpRequests& warp = site.warps[thread / kWarpSize];
  if (warp.interval != interval_) {
    warp.interval = interval_;
    warp.stored = warp.most = 0;
    dirty_.push_back({&site, &warp});
  }
  if (tensor != site.tensor) site.tensor = site.tensor == -2 ? tensor : -1;
  if (nth >= warp.most) warp.most = nth + 1;
  if (nth >= kStored) return;
  if (!warp.requests) warp.requests = std::make_unique<Request[]>(kStored);
  Request& request = warp.requests[nth];
  if (nth >= warp.stored) {
    warp.stored = nth + 1;
    request.mask = 0;
  }
  request.mask |= 1u << (thread % kWarpSize);
  request.address[thread % kWarpSize] = granule;
}

void SiteTable::flush(Site& site, WarpRequests& warp) {
  const std::uint32_t extent = site.bytes > 4 ? site.bytes / 4 - 1 : 0;
  std::uint32_t values[kWarpSize * 4];
  double requests = 0, sectors = 0, ideal = 0, passes = 0, bytes = 0;
  for (std::uint32_t i = 0; i < warp.stored; ++i) {
    const Request& request = warp.requests[i];
    const int lanes = __builtin_popcount(request.mask);
    requests += 1;
    bytes += lanes * static_cast<double>(site.bytes);
    const int words = distinct(request, 0, extent, values);
    if (site.space == Space::shared) {
      // 32 banks of 4 bytes; lanes that want one word share it. Wide accesses go by halves and quarters of
      // a warp, which their own width already pays for.
      std::uint32_t in_bank[32] = {};
      for (int w = 0; w < words; ++w) ++in_bank[values[w] % 32];
      const std::uint32_t worst = *std::max_element(in_bank, in_bank + 32);
      passes += std::max(1.0, std::ceil(static_cast<double>(worst) / (extent + 1)));
    } else {
      const double asked = site.bytes >= 4 ? words * 4.0 : lanes * static_cast<double>(site.bytes);
      ideal += std::max(1.0, std::ceil(asked / 32));
      sectors += distinct(request, 3, extent, values);
    }
  }
  // Beyond the stored requests a loop goes on as it began.
  const double scale = warp.stored == 0 ? 0.0 : static_cast<double>(warp.most) / warp.stored;
  site.approximate = site.approximate || warp.most > warp.stored;
  site.request_count += requests * scale;
  site.sectors += sectors * scale;
  site.ideal_sectors += ideal * scale;
  site.passes += passes * scale;
  site.bytes_asked += bytes * scale;
}

void SiteTable::end_interval() {
  for (const Dirty& dirty : dirty_) flush(*dirty.site, *dirty.warp);
  dirty_.clear();
  ++interval_;
}

void SiteTable::clear_counters() {
  for (const auto& site : sites_) {
    site->tensor = -2;
    site->request_count = site->sectors = site->ideal_sectors = site->passes = site->bytes_asked = 0;
    site->approximate = false;
  }
}

std::vector<runs::SiteCounters> SiteTable::take(const char* kernel, double scale) const {
  std::vector<runs::SiteCounters> out;
  for (const auto& site : sites_) {
    if (site->request_count == 0) continue;
    const char* kinds[2][3] = {{"global load", "global store", "atomic"},
                               {"shared load", "shared store", "atomic"}};
    runs::SiteCounters c;
    c.kernel = kernel;
    c.at = source_line(site->pc);
    c.kind = kinds[static_cast<int>(site->space)][static_cast<int>(site->kind)];
    c.tensor = site->tensor;
    c.requests = std::llround(site->request_count * scale);
    c.sectors = std::llround(site->sectors * scale);
    c.ideal_sectors = std::llround(site->ideal_sectors * scale);
    c.bank_passes = std::llround(site->passes * scale);
    c.bytes = std::llround(site->bytes_asked * scale);
    c.approximate = site->approximate || scale != 1.0;
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace workbook::sim
