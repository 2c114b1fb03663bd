// `profile N [--variant]`: where the time of the newest run goes, by kernel and by NVTX range; --calls: the
// host's calls.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/profile_report.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

const runs::Benchmark* profiled(const runs::RunRecord& record) {
  for (const runs::Benchmark& benchmark : record.benchmarks)
    if (!benchmark.calls.empty() || benchmark.name == "real") return &benchmark;
  return record.benchmarks.empty() ? nullptr : &record.benchmarks.front();
}

}  // namespace

int profile_command(const Project& project, const std::string& word, const std::vector<std::string>& words,
                    const ProfileOptions& options) {
  const Puzzle& puzzle = word.empty() ? project.current() : project.puzzle(word);
  const std::string flags = words.empty() ? "" : " --" + chosen_variant(puzzle, words).name;
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  if (!words.empty()) filter.variant = chosen_variant(puzzle, words).name;
  const auto store = records(project);
  if (store)
    for (const runs::RunHeader& header : store->list(filter)) {
      const runs::RunRecord record = store->load(header.id);
      const runs::Benchmark* benchmark = profiled(record);
      if (benchmark == nullptr || (benchmark->launches.empty() && benchmark->calls.empty())) continue;
      if (options.json)
        print(runs::dump(profile_json(record, *benchmark), 1) + '\n');
      else
        show(profile_text(record, *benchmark, options.calls));
      return kCorrect;
    }
  throw UsageError(
      fmt::format("There is nothing to profile yet: `workbook run {}{}` makes a run.", puzzle.number, flags));
}

}  // namespace workbook::cli
