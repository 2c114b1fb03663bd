// `history`.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "runs/json.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

/// What the kernels took at the real shape; "-" where they were not correct, or their record cannot be read.
std::string kernel_time(const runs::Store& store, const runs::RunHeader& header) {
  if (header.verdict != runs::Verdict::correct) return "-";
  try {
    const runs::RunRecord record = store.load(header.id);
    const runs::Benchmark* benchmark = runs::find_benchmark(record, "real");
    const auto timing = benchmark ? runs::timing_of(*benchmark, record.device) : std::nullopt;
    return timing ? time_text(timing->us.median) : "-";
  } catch (const runs::StoreError&) {
    return "-";
  }
}

}  // namespace

int history_command(const Project& project, const std::string& word, std::int64_t limit, bool json) {
  runs::RunFilter filter;
  if (!word.empty()) filter.puzzle = project.puzzle(word).number;
  const auto store = records(project);
  const std::vector<runs::RunHeader> headers =
      store ? store->list(filter, limit) : std::vector<runs::RunHeader>();
  if (json) {
    runs::Json list = runs::Json::array();
    for (const runs::RunHeader& h : headers)
      list.push_back({{"id", h.id},
                      {"started_at", h.started_at},
                      {"elapsed_ms", h.elapsed_ms},
                      {"puzzle", h.puzzle},
                      {"variant", h.variant},
                      {"origin", h.origin},
                      {"backend", word_of(h.backend)},
                      {"device", h.device},
                      {"verdict", word_of(h.verdict)},
                      {"source_hash", h.source_hash}});
    print(runs::dump(list, 1) + '\n');
    return kCorrect;
  }
  if (headers.empty()) {
    print("Nothing is on record yet: `workbook run " +
          std::to_string(filter.puzzle.value_or(project.current().number)) + "` makes a first run.\n");
    return kCorrect;
  }
  Table table({"run", "when (UTC)", "variant", "whose", "on", "verdict", "time, real"});
  for (const std::size_t column : {1, 2, 3, 4, 5}) table.left(column);
  for (const runs::RunHeader& h : headers)
    table.row({std::to_string(h.id), ago_text(h.started_at).substr(5),
               fmt::format("{:02} --{}", h.puzzle, h.variant), runs::is_learner(h.origin) ? "you" : h.origin,
               word_of(h.backend), replaced(word_of(h.verdict), "_", " "), kernel_time(*store, h)});
  show(table.text("") +
       paint(Colour::dim, "The time of the kernels at the real shape: modelled on sim, measured on cuda.") +
       '\n' + paint(Colour::dim, "`workbook restore RUN` brings a variant back to what a run ran.") + '\n');
  return kCorrect;
}

}  // namespace workbook::cli
