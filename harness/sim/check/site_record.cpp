// The counts of several logs as the record has them.
#include <algorithm>
#include <cmath>

#include "access_log.h"
#include "sim/source/symbols.h"

namespace workbook::sim {

Sites to_record(const std::vector<const AccessLog*>& logs, const char* kernel, double scale) {
  std::vector<SiteCount> sums;
  Waits waits;
  std::uint64_t remote_requests = 0;
  for (const AccessLog* log : logs) {
    waits.all += log->waits().all;
    waits.dram += log->waits().dram;
    waits.shared += log->waits().shared;
    waits.remote += log->waits().remote;
    remote_requests += log->remote_requests();
    for (const SiteCount& c : log->counts()) {
      auto sum =
          std::find_if(sums.begin(), sums.end(), [&](const SiteCount& s) { return s.place == c.place; });
      if (sum == sums.end()) {
        sums.push_back(c);
        continue;
      }
      if (sum->tensor != c.tensor) sum->tensor = -1;
      sum->requests += c.requests, sum->sectors += c.sectors, sum->ideal_sectors += c.ideal_sectors;
      sum->passes += c.passes, sum->bytes += c.bytes;
      sum->lines += c.lines, sum->l1_sectors += c.l1_sectors, sum->misses += c.misses;
      sum->approximate = sum->approximate || c.approximate;
    }
  }
  std::sort(sums.begin(), sums.end(),
            [](const SiteCount& a, const SiteCount& b) { return a.place.pc_offset() < b.place.pc_offset(); });
  const auto scaled = [&](std::uint64_t n) { return std::llround(static_cast<double>(n) * scale); };
  Sites out;
  out.chained_misses = std::llround(waits.all * scale);
  out.chained_dram_misses = std::llround(waits.dram * scale);
  out.chained_shared = scaled(waits.shared);
  out.remote_requests = scaled(remote_requests);
  out.chained_remote = scaled(waits.remote);
  for (const SiteCount& sum : sums) {
    using runs::SiteKind;
    static constexpr SiteKind kKinds[2][3] = {
        {SiteKind::global_load, SiteKind::global_store, SiteKind::atomic},
        {SiteKind::shared_load, SiteKind::shared_store, SiteKind::atomic}};
    runs::SiteCounters c;
    c.kernel = kernel;
    c.at = source_line(program_base() + sum.place.pc_offset());
    c.kind = kKinds[sum.place.shared() ? 1 : 0][static_cast<int>(sum.place.kind())];
    c.tensor = sum.tensor;
    c.requests = scaled(sum.requests);
    c.sectors = scaled(sum.sectors);
    c.ideal_sectors = scaled(sum.ideal_sectors);
    c.bank_passes = scaled(sum.passes);
    c.bytes = scaled(sum.bytes);
    c.lines = scaled(sum.lines);
    c.l1_sectors = scaled(sum.l1_sectors);
    c.misses = scaled(sum.misses);
    c.approximate = sum.approximate || scale != 1.0;
    out.counters.push_back(std::move(c));
  }
  return out;
}

}  // namespace workbook::sim
