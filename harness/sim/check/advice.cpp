#include "advice.h"

#include <cstdio>

namespace workbook::sim {
namespace {

// A line is worth a word when it takes a tenth of what the launch does there, at four times the ideal cost;
// below some thousands of sectors or passes too many nobody would see a difference.
constexpr double kShare = 0.1;
constexpr double kOffIdeal = 4.0;
constexpr double kFewestWasted = 8000;

std::string one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

runs::Finding advice(const char* klass, const runs::SiteCounters& site) {
  runs::Finding f;
  f.klass = klass;
  f.severity = "advice";
  f.kernel = site.kernel;
  f.at = site.at;
  f.count = site.requests;
  return f;
}

}  // namespace

void advise(const runs::LaunchCounters& counters, FindingLog& findings) {
  for (const auto& site : counters.sites) {
    const auto requests = static_cast<double>(site.requests);
    const auto sectors = static_cast<double>(site.sectors), ideal = static_cast<double>(site.ideal_sectors);
    const auto passes = static_cast<double>(site.bank_passes);
    if (sectors - ideal >= kFewestWasted && sectors >= kOffIdeal * ideal &&
        sectors >= kShare * static_cast<double>(counters.l2_sectors)) {
      runs::Finding f = advice("uncoalesced", site);
      f.message = "each request of a warp at this line touches " + one_decimal(sectors / requests) +
                  " sectors of 32 bytes, where " + one_decimal(ideal / requests) +
                  " would hold what it asks for" +
                  (2 * site.l1_sectors > site.sectors ? "; most of them are in L1 by then." : ".");
      f.advice =
          "Let neighbouring threads take neighbouring elements: threadIdx.x should walk along the innermost "
          "index, "
          "if need be by way of a tile in shared memory.";
      findings.add(std::move(f));
    }
    if (passes - requests >= kFewestWasted && passes >= kOffIdeal * requests &&
        passes >= kShare * static_cast<double>(counters.shared_passes)) {
      runs::Finding f = advice("bank_conflict", site);
      f.message = "each request of a warp at this line takes " + one_decimal(passes / requests) +
                  " passes over the 32 banks of shared memory instead of 1.";
      f.advice =
          "Words that lie 32 apart share a bank: pad the rows (tile[32][33]), or let neighbouring threads "
          "take "
          "neighbouring words.";
      findings.add(std::move(f));
    }
  }
}

std::string race_advice(bool same_warp, bool same_block) {
  if (same_warp)
    return "Put __syncthreads() between the two lines: lanes of a warp do not run in step since Volta. Where no "
           "other warp uses the data, __syncwarp() is enough. Or give each thread its own element.";
  if (same_block) return "Put __syncthreads() between the two lines, or give each thread its own element.";
  return "Blocks of one launch run in any order: give each block its own elements, use an atomic, publish with "
         "__threadfence() before an atomic, or split the work into two launches.";
}

std::string one_line_race_advice(bool one_reads) {
  if (one_reads)
    return "Where each element should have one thread, look at the index. Where each thread adds its share, use an atomic (atomicAdd) or a reduction; where each takes its "
           "neighbour's value, read it into a variable, call __syncthreads(), and store then.";
  return "All of them store to one element: give each thread its own (look at the index), let one thread store, or add the shares up "
         "with an atomic (atomicAdd) or a reduction.";
}

}  // namespace workbook::sim
