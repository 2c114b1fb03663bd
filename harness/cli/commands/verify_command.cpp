// `verify`: check again every puzzle that is believed done; `--all`, those that are not as well.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/report/terminal.h"
#include "cli/run/execute.h"
#include "cli/run/parallel.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

struct Job {
  const Puzzle* puzzle;
  std::vector<const VariantInfo*> variants;
};

std::vector<Job> jobs_of(const Project& project, const std::string& word, bool all,
                         const runs::Store* store) {
  std::vector<Job> jobs;
  const Puzzle* only = word.empty() ? nullptr : &project.puzzle(word);
  for (const Puzzle& puzzle : project.puzzles()) {
    if ((only && only != &puzzle) || !puzzle.fault.empty()) continue;
    Job job{&puzzle, {}};
    for (const VariantProgress& entry : progress_of(project, puzzle, store).variants)
      if (all || entry.done) job.variants.push_back(entry.variant);
    if (!job.variants.empty()) jobs.push_back(job);
  }
  return jobs;
}

}  // namespace

int verify_command(const Project& project, const std::string& word, bool all, bool solutions, bool json) {
  const auto before = records(project);
  const std::vector<Job> jobs = jobs_of(project, word, all || solutions, before ? &*before : nullptr);
  if (jobs.empty()) {
    print(json ? "[]\n"
               : "No puzzle is done yet: there is nothing to verify. `workbook list` shows where you are.\n");
    return kCorrect;
  }
  project.prepare_state();
  runs::Store store = open_store(project);
  std::mutex mutex;
  runs::Json list = runs::Json::array();
  int worst = kCorrect;
  parallel(jobs.size(), worker_count(), [&](std::size_t i, std::size_t) {
    for (const VariantInfo* variant : jobs[i].variants) {
      RunRequest request;
      request.puzzle = jobs[i].puzzle;
      request.variant = variant;
      request.backend = "sim";
      request.source = solutions ? source_from("solution", jobs[i].puzzle->solved_file(*variant))
                                 : source_from("learner", jobs[i].puzzle->file(*variant));
      const RunOutcome outcome = execute(project, request);
      // A program may be asked to show a finding; its verdict has looked at them.
      const bool clean =
          variant->program || std::none_of(outcome.record.findings.begin(), outcome.record.findings.end(),
                                           [](const auto& f) { return f.severity != "advice"; });
      const std::lock_guard lock(mutex);
      store.add(outcome.stored());
      const bool good = outcome.record.verdict == "correct" && (clean || !solutions);
      if (!good) worst = std::max(worst, std::max<int>(kWrong, runs::exit_status(outcome.record.verdict)));
      list.push_back({{"puzzle", jobs[i].puzzle->number},
                      {"variant", variant->name},
                      {"verdict", outcome.record.verdict},
                      {"ok", good}});
      if (!json)
        print(fmt::format("{:02} --{:<16} {}\n", jobs[i].puzzle->number, variant->name,
                          paint(good ? Colour::good : Colour::bad,
                                outcome.record.verdict + (good || !outcome.record.detail.empty() ? ""
                                                          : clean                                ? ""
                                                                  : ", with findings"))));
      if (!json && !good)
        print(wrong_report(project, outcome.record) + findings_report(project, outcome.record, "") +
              outcome.diagnostics);
    }
  });
  if (json) print(runs::dump(list, 1) + '\n');
  return worst;
}

}  // namespace workbook::cli
