#include "advice.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "runs/bank_turns.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_idioms.h"

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

runs::Finding advice(runs::FindingClass klass, const runs::SiteCounters& site) {
  runs::Finding f;
  f.klass = klass;
  f.severity = runs::Severity::advice;
  f.kernel = site.kernel;
  f.at = site.at;
  f.count = site.requests;
  return f;
}

/// Where no barrier can stand between the two. `barrier`: what orders all that met; empty: none does.
std::string one_line_advice(const runs::Finding& race, const std::string& barrier) {
  std::string rounds;
  if (const auto loop = barrier.empty() ? std::nullopt : loop_without_barrier(race.at))
    rounds = "Where the threads meet in different rounds of the loop (line " + std::to_string(loop->line) +
             "), each round needs a " + barrier + " that all of them come to. ";
  const bool one_reads =
      race.message.find(" reads ") != std::string::npos || race.message.find(" reads,") != std::string::npos;
  if (one_reads)
    return rounds +
           "Where each element should have one thread, look at the index. Where each thread adds its share, use an atomic (atomicAdd) or a reduction; where each takes its "
           "neighbour's value, " +
           (barrier.empty() ? "store to another array."
                            : "read it into a variable, call " + barrier + ", and store then.");
  return rounds +
         "All of them store to one element: give each thread its own (look at the index), let one thread " +
         std::string(barrier.empty() ? "of all blocks " : "") +
         "store, or add the shares up with an atomic (atomicAdd) or a reduction.";
}

}  // namespace

void advise(const runs::LaunchCounters& counters, FindingLog& findings) {
  for (const auto& site : counters.sites) {
    const auto requests = static_cast<double>(site.requests);
    const auto sectors = static_cast<double>(site.sectors), ideal = static_cast<double>(site.ideal_sectors);
    const auto passes = static_cast<double>(site.bank_passes);
    if (sectors - ideal >= kFewestWasted && sectors >= kOffIdeal * ideal &&
        sectors >= kShare * static_cast<double>(counters.l2_sectors)) {
      runs::Finding f = advice(runs::FindingClass::uncoalesced, site);
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
      runs::Finding f = advice(runs::FindingClass::bank_conflict, site);
      const std::int64_t turns = runs::turns_a_pass(site);
      f.message = "each request of a warp at this line takes " +
                  one_decimal(passes / requests * static_cast<double>(turns)) +
                  " passes over the 32 banks of shared memory instead of " + std::to_string(turns) + ".";
      f.advice =
          site.kind == runs::SiteKind::atomic
              ? "Lanes whose atomics meet in one word, or in one bank, take turns: let each thread or warp add "
                "up what it has before it goes to shared memory, or spread what is counted over more words."
              : "Words that lie 32 apart share a bank: make the rows one element longer (tile[32][33]; of "
                "elements smaller than a word, one word), or let neighbouring threads take neighbouring words.";
      findings.add(std::move(f));
    }
  }
}

bool ragged_end(std::int64_t index, const std::vector<std::int64_t>& extents, const runs::ThreadId& who,
                const runs::Dim3& grid, const runs::Dim3& block) {
  constexpr std::int64_t kHalo = 32;  // a neighbour of the thread's own element
  const std::int64_t size =
      std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies{});
  const std::int64_t row = extents.back();
  const std::int64_t plane = extents.size() > 1 ? row * extents[extents.size() - 2] : row;
  const std::int64_t gx = std::int64_t{who.block.x} * block.x + who.thread.x,
                     gy = std::int64_t{who.block.y} * block.y + who.thread.y,
                     gz = std::int64_t{who.block.z} * block.z + who.thread.z;
  const auto own = [&](std::int64_t element) { return std::abs(index - element) <= kHalo; };
  if (index < 0) return own(gx) || own(gy * row + gx);  // the first elements' neighbours
  const std::int64_t threads = std::int64_t{block.x} * block.y * block.z,
                     all = threads * grid.x * grid.y * grid.z;
  const std::int64_t each = (size + all - 1) / all;  // elements that a thread has where all are shared out
  const bool few = index - size < std::max(each * threads, block.y > 1 ? block.y * row : threads) ||
                   (block.z > 1 && index - size < block.z * plane);
  const bool few_rows = extents.size() > 1 && (index - size) / row < threads;
  const auto ends = [](std::uint32_t at, std::uint32_t extent) { return extent > 1 && at + 1 == extent; };
  const bool last = grid.x * grid.y * grid.z == 1 || ends(who.block.x, grid.x) || ends(who.block.y, grid.y) ||
                    ends(who.block.z, grid.z);
  if (!(few || few_rows) || !last) return false;
  const auto of_row = [&](std::int64_t number) { return extents.size() > 1 && index / row == number; };
  // The rows of an untyped allocation are as long as the index says.
  const std::int64_t length = extents.size() == 1 && gy > 0 && (index - gx) % gy == 0 ? (index - gx) / gy : 0;
  if (few_rows && (of_row(gx) || of_row(gy))) return true;
  if (!few) return false;
  if (length > 0 && size % length == 0) return true;
  if (extents.size() == 1 && ((block.y > 1 && own(gy)) || (block.z > 1 && own(gz)))) return true;
  return own(gx) || own(gy * row + gx) || own(gz * plane + gy * row + gx) || of_row(gx) || of_row(gy) ||
         (each > 1 && index / each == gx);
}

bool is_of_library(const std::string& kernel) {
  return kernel.starts_with("cub::") || kernel.starts_with("thrust::");
}

std::string overrun_advice(const Overrun& overrun, const runs::SourceLine& at, const std::string& kernel) {
  if (is_of_library(kernel))
    return "How much the call uses follows from what it is given: numbers of elements, the ends of iterators, the "
           "indices of a map, of segments their begins and ends. Compare that with the array.";
  if (overrun.ragged) {
    const std::string guard = "Guard the access: compare the index with the size before using it.";
    const auto condition = condition_before(at);
    if (!condition) return guard;
    return guard + " The condition " +
           (condition->line == at.line ? "in this line" : "at line " + std::to_string(condition->line)) +
           " lets it through: is what it compares the index that is used?";
  }
  const auto elements = [](std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " element" : " elements");
  };
  std::string far;
  if (overrun.past > 0) far = elements(overrun.past) + " past the end";
  if (overrun.before > 0)
    far += (far.empty() ? "" : " and ") + elements(overrun.before) + " before the start";
  return "The index goes up to " + far + " of " + overrun.array +
         ": look at what it is made of, strides, the ends of loops, an index that was read. Where the thread has no "
         "element of its own there, guard the access.";
}

std::string race_advice(const runs::Finding& race) {
  if (is_of_library(race.kernel))
    return "The call takes its elements beside each other, in any order: what it does for one of them must not write "
           "what it reads or writes for another. Let it write to a range of its own, name no place twice in a map, "
           "or add up with atomicAdd().";
  const bool known = race.other && race.at.line > 0;
  // Whoever has not come to warps yet is helped by what orders the whole block.
  const bool of_warp = race.reach == runs::Reach::warp && (!known || speaks_of_warps(race.at.file));
  const bool of_block = race.reach == runs::Reach::warp || race.reach == runs::Reach::block;
  const std::string barrier = of_warp ? "__syncwarp()" : "__syncthreads()";
  if (known && race.at.file == race.other->file && race.at.line == race.other->line)
    return one_line_advice(race, of_block ? barrier : "");
  const std::string claim =
      known && decides_by(code_of_file(race.at.file), race.at.line, race.other->line)
          ? " Where two threads may find the condition of one element true, no barrier helps: "
            "let atomicCAS() store, and whoever gets the old value back go on."
          : "";
  if (race.reach == runs::Reach::cluster)
    return "Put cluster.sync() between the two lines: __syncthreads() orders one block only.";
  if (!of_block && known && speaks_of_grids(race.at.file))
    return "All blocks have to meet between the two lines: grid.sync(), which all threads of all blocks call. "
           "__syncthreads() orders one block only.";
  if (!of_block)
    return "Blocks of one launch run in any order: give each block its own elements, use an atomic, publish with "
           "__threadfence() before an atomic, or split the work into two launches." +
           claim;
  if (const auto pass = known ? next_pass(race.at, *race.other, of_warp) : std::nullopt)
    return "The barrier between the two lines does not help here: line " + std::to_string(pass->earlier) +
           " is reached in the next pass of the loop (line " + std::to_string(pass->loop.line) +
           "), while others are still at line " + std::to_string(pass->later) + ". Put another " + barrier +
           " behind line " + std::to_string(pass->later) + ", at the end of the loop.";
  const bool has_barrier = known && barrier_between(race.at, *race.other, of_warp);
  if (has_barrier && may_be_called_again(race.at, *race.other)) {
    const auto [first, last] = std::minmax(race.at.line, race.other->line);
    return "The function is called again, and line " + std::to_string(first) +
           " of the next call is reached while others are still at line " + std::to_string(last) +
           " of this one: the barrier between the two lines does not stand between the two calls. Put another " +
           barrier + " behind line " + std::to_string(last) + ", at the end of the function.";
  }
  const std::string look =
      known && asks_barriers(race.at.file)
          ? " Is a barrier asked, test_wait or try_wait? It may say no, and has to be asked again until it says yes."
          : "";
  if (has_barrier)
    return "A barrier stands between the two lines and does not order these two threads: do both come to it, between "
           "the one access and the other? Or give each thread its own element." +
           look;
  return "Put " + barrier + " between the two lines" +
         (of_warp ? ": only lanes of one warp meet here, and they do not run in step since Volta. Or "
                  : ", or ") +
         "give each thread its own element." + claim + look;
}

}  // namespace workbook::sim
