#include "passed_barriers.h"

#include <algorithm>
#include <tuple>

#include "sim/source/source_blocks.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// How the threads got past the barrier; what is known best comes last.
enum class Way : std::uint8_t { unknown, either, returned, around };

/// The threads' last access tells which way they went only where the text leaves both: one behind the barrier
/// that no loop brings back to it is of a thread that went around.
Way way_past(const WaysPast& ways, const runs::SourceLine& barrier, const runs::SourceLine& last) {
  const bool behind = last.file == barrier.file && last.line > barrier.line;
  if (!ways.in_kernel) return behind ? Way::around : Way::unknown;  // the caller's text matters, too
  if (ways.around.empty()) return ways.returns.empty() ? Way::unknown : Way::returned;
  if (ways.returns.empty()) return Way::around;
  const bool in_loop = std::any_of(ways.around.begin(), ways.around.end(), [&](const SourceBlock& block) {
    return is_loop(block) && last.line <= block.last_line;
  });
  return behind && !in_loop ? Way::around : Way::either;
}

std::string joined(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

std::string return_lines(const WaysPast& ways) {
  std::vector<std::string> lines;
  for (const int line : ways.returns) lines.push_back(std::to_string(line));
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return (lines.size() == 1 ? "line " : "lines ") + joined(lines, " or ");
}

std::string blocks(const WaysPast& ways) {
  std::vector<std::string> words;
  for (const SourceBlock& block : ways.around)
    words.push_back("the `" + block.keyword + "` of line " + std::to_string(block.first_line));
  return joined(words, " and ");
}

const char* advice_for(const WaysPast& ways, Way way) {
  if (way == Way::returned)
    return "Guard the loads and stores instead of returning, and return only behind the last barrier. A GPU "
           "since Volta (2017) does not wait for threads that have ended, so this may run; the barrier is meant "
           "for all threads of the block.";
  // By the innermost block: an `if` within a loop is what keeps threads away from the barrier.
  if (way == Way::around && !ways.around.empty() && !is_loop(ways.around.front()))
    return "Move the barrier out of the condition, so that all threads of the block come to it; in the condition "
           "leave what only some of them load and store.";
  if (way == Way::around && !ways.around.empty())
    return "Let all threads of the block go through the loop equally often, and guard what they load and store "
           "in it; or move the barrier out of it.";
  return "All threads of a block must come to its barrier, equally often: guard the loads and stores, not the "
         "barrier.";
}

runs::Finding finding_of(const PassedBarrier& p, const WaysPast& ways, Way way, std::int64_t count) {
  runs::Finding f;
  f.klass = runs::FindingClass::divergent_barrier;
  f.kernel = p.kernel;
  f.at = source_line(p.barrier);
  f.who = p.waiting.id;
  f.other_who = p.gone.id;
  f.count = count;
  const bool one = p.gone_count == 1;
  const std::string threads =
      one ? p.gone.name
          : std::to_string(p.gone_count) + " threads of its block (the first is " + p.gone.name + ")";
  f.message = p.waiting.name + " waits at this barrier, but " + threads;
  if (way == Way::returned)
    f.message += " had ended before: returned at " + return_lines(ways) + ".";
  else if (way == Way::either)
    f.message += " ended without coming to it: returned at " + return_lines(ways) + ", or went around " +
                 blocks(ways) + ", which holds it.";
  else if (way == Way::around && !ways.around.empty())
    f.message += std::string(one ? " goes" : " go") + " around it: it stands inside " + blocks(ways) + '.';
  else
    f.message += " ended without coming to it.";
  f.advice = advice_for(ways, way);
  return f;
}

}  // namespace

void PassedBarriers::add(const PassedBarrier& passed) {
  const auto [place, fresh] = seen_.try_emplace({passed.barrier, passed.last_access}, Seen{passed, 1});
  if (!fresh) ++place->second.count;
}

std::vector<runs::Finding> PassedBarriers::take(bool whole_blocks) {
  struct Told {
    PassedBarrier passed;
    WaysPast ways;
    Way way;
    std::int64_t count;
  };
  std::map<std::tuple<std::string, std::string, int>, Told> lines;  // the compiler may copy a call
  for (const auto& [key, seen] : seen_) {
    const runs::SourceLine barrier = source_line(seen.first.barrier);
    const WaysPast ways = ways_past(seen.first.barrier);
    const Way way = way_past(ways, barrier, source_line(seen.first.last_access));
    const auto [place, fresh] = lines.try_emplace({seen.first.kernel, barrier.file, barrier.line},
                                                  Told{seen.first, ways, way, seen.count});
    Told& told = place->second;
    if (fresh || way < told.way) continue;
    if (way > told.way) {
      told = {seen.first, ways, way, seen.count};
    } else if (seen.first.waiting.name == told.passed.waiting.name) {
      told.passed.gone_count += seen.first.gone_count;
      if (std::tie(seen.first.gone.id.thread.z, seen.first.gone.id.thread.y, seen.first.gone.id.thread.x) <
          std::tie(told.passed.gone.id.thread.z, told.passed.gone.id.thread.y, told.passed.gone.id.thread.x))
        told.passed.gone = seen.first.gone;
      told.count = std::max(told.count, seen.count);
    } else {
      told.count += seen.count;
    }
  }
  seen_.clear();
  std::vector<runs::Finding> out;
  for (const auto& [line, told] : lines) {
    out.push_back(finding_of(told.passed, told.ways, told.way, told.count));
    const bool error = whole_blocks || told.way == Way::around;
    out.back().severity = error ? runs::Severity::error : runs::Severity::warning;
  }
  return out;
}

}  // namespace workbook::sim
