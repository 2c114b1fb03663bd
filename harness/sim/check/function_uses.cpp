#include "function_uses.h"

#include <algorithm>

namespace workbook::sim {
namespace {

constexpr std::size_t kMostRuns = std::size_t{1} << 20;  // further ones are not kept
constexpr std::ptrdiff_t kWalks = 8;                     // arrays that are walked through side by side

bool holds(const WordRun& run, const WordRun& use) {
  return run.begin <= use.begin && use.end <= run.end && (use.reads & ~run.reads) == 0 &&
         (use.writes & ~run.writes) == 0 && run.signal_reads == use.signal_reads &&
         run.signal_writes == use.signal_writes;
}

void add(std::vector<WordRun>& runs, const WordRun& use) {
  const auto recent = runs.end() - std::min<std::ptrdiff_t>(kWalks, std::ssize(runs));
  const auto held = std::find_if(recent, runs.end(), [&](const WordRun& run) { return holds(run, use); });
  if (held != runs.end()) return;
  const auto beside = std::find_if(recent, runs.end(), [&](const WordRun& run) {
    return (run.end == use.begin || use.end == run.begin) && run.is_like(use);
  });
  if (beside != runs.end())
    beside->begin = std::min(beside->begin, use.begin), beside->end = std::max(beside->end, use.end);
  else if (runs.size() < kMostRuns)
    runs.push_back(use);
}

}  // namespace

void FunctionUses::note(std::uintptr_t address, std::size_t bytes, bool writes, bool signal,
                        std::uint32_t pc) {
  WordRuns use;
  use.append_bytes(address, bytes, writes, pc, signal);
  for (const WordRun& run : use.all()) add(writes ? others_ : reads_, run);
}

void FunctionUses::forget(std::uintptr_t address, std::size_t bytes) {
  for (auto* runs : {&reads_, &others_}) cut_out(*runs, address, bytes);
}

WordRuns FunctionUses::in_order(std::vector<WordRun> runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const WordRun& a, const WordRun& b) { return a.begin < b.begin; });
  WordRuns sorted;
  for (WordRun run : runs) {
    // A word may be shared by the end of one run and the begin of the next, no more.
    if (!sorted.all().empty()) run.begin = std::max(run.begin, sorted.all().back().end - 1);
    if (run.begin < run.end) sorted.append(run);
  }
  return sorted;
}

}  // namespace workbook::sim
