// `verify`: check again every puzzle that is believed done; `--all`, those that are not as well. It tells how
// they stand and records nothing: what was solved stays believed, so that the next verify looks at it again.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/run/execute.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

struct Job {
  const Puzzle* puzzle;
  const VariantInfo* variant;
  std::int64_t run;  ///< in which it was right; 0: in none, or it is not the newest
  enum class State { waiting, running, good, bad } state = State::waiting;
};

std::vector<Job> jobs_of(const Project& project, const std::string& word, bool all,
                         const runs::Store* store) {
  std::vector<Job> jobs;
  const Puzzle* only = word.empty() ? nullptr : &project.puzzle(word);
  for (const Puzzle& puzzle : project.puzzles()) {
    if ((only && only != &puzzle) || !puzzle.fault.empty()) continue;
    for (const VariantProgress& entry : progress_of(project, puzzle, store).variants)
      if (all || entry.done) jobs.push_back({&puzzle, entry.variant, entry.done ? entry.run : 0});
  }
  return jobs;
}

/// A row a puzzle, its variants in it, each with a mark and a colour for how far it is; drawn again in place.
class Grid {
 public:
  explicit Grid(const std::vector<Job>& jobs) : jobs_(jobs) {}

  /// Only what stands on the terminal can be drawn again.
  bool fits() const { return lines().size() < static_cast<std::size_t>(terminal_rows()); }

  void draw() {
    if (drawn_) print(fmt::format("\033[{}A", lines().size()));
    for (const std::string& line : lines()) print("\033[2K" + line + "\n");
    drawn_ = true;
  }

 private:
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < jobs_.size();) {
      const Puzzle& puzzle = *jobs_[i].puzzle;
      std::string line = fmt::format("{:02}  {:<28}", puzzle.number, puzzle.declaration.title.substr(0, 28));
      std::size_t width = line.size();
      for (; i < jobs_.size() && jobs_[i].puzzle == &puzzle; ++i) {
        const std::string cell = mark(jobs_[i].state) + jobs_[i].variant->name;
        if (width + cell.size() + 2 > 79) {
          out.push_back(line);
          line = std::string(32, ' ');
          width = line.size();
        }
        line += "  " + paint(colour(jobs_[i].state), cell);
        width += cell.size() + 2;
      }
      out.push_back(line);
    }
    return out;
  }
  static std::string mark(Job::State state) {
    constexpr const char* marks[] = {". ", "> ", "+ ", "x "};
    return marks[static_cast<int>(state)];
  }
  static Colour colour(Job::State state) {
    constexpr Colour colours[] = {Colour::dim, Colour::accent, Colour::good, Colour::bad};
    return colours[static_cast<int>(state)];
  }
  const std::vector<Job>& jobs_;
  bool drawn_ = false;
};

/// What came of a job, with the words about it where it is not right.
struct Judged {
  bool good = false;
  int status = kCorrect;
  runs::Verdict verdict = runs::Verdict::harness_error;
  std::string words = {}, report = {};
};

Judged judged(const Project& project, const Job& job, const RunOutcome& outcome, bool solutions) {
  const runs::RunRecord& record = outcome.record;
  Judged result{.verdict = record.verdict, .words = replaced(word_of(record.verdict), "_", " ")};
  // A program may be asked to show a finding; its verdict has looked at them.
  const bool clean = job.variant->program || std::none_of(record.findings.begin(), record.findings.end(),
                                                          [](const runs::Finding& finding) {
                                                            return finding.severity != runs::Severity::advice;
                                                          });
  result.good = record.verdict == runs::Verdict::correct && (clean || !solutions);
  if (result.good) return result;
  result.status = std::max<int>(kWrong, runs::exit_status(record.verdict));
  if (!clean && record.detail.empty()) result.words += ", with findings";
  if (record.verdict == runs::Verdict::not_filled && record.at)
    result.words += " (" + line_text(*record.at) + ")";
  result.report = wrong_report(project, record) + findings_report(project, record, "") + outcome.diagnostics;
  return result;
}

/// One that cannot be judged does not end the others.
Judged verify(const Project& project, const Job& job, bool solutions, runs::Store* store) {
  try {
    RunRequest request;
    request.puzzle = job.puzzle;
    request.variant = job.variant;
    request.backend = runs::Backend::sim;
    request.source = solutions ? source_from(runs::kSolution, job.puzzle->solved_file(*job.variant))
                               : learner_source(project, *job.puzzle, *job.variant);
    const RunOutcome outcome = execute(project, request);
    if (store) store->add(outcome.stored());
    return judged(project, job, outcome, solutions);
  } catch (const Failure& failure) {
    return {.status = failure.exit, .words = "not judged", .report = fitted(failure.what()) + '\n'};
  }
}

/// "22 --fused           correct", and below it what is wrong with it.
std::string lines_about(const Job& job, const Judged& result) {
  std::string out = fitted(fmt::format("{:02} --{:<16} {}\n", job.puzzle->number, job.variant->name,
                                       paint(result.good ? Colour::good : Colour::bad, result.words))) +
                    result.report;
  if (!result.good && job.run > 0 && result.verdict != runs::Verdict::harness_error)
    out += fitted(
        fmt::format("It was right in run {}: `workbook restore {}` brings that back.\n", job.run, job.run));
  return out;
}

}  // namespace

int verify_command(const Project& project, const std::string& word, bool all, bool solutions, bool json) {
  const auto before = records(project);
  std::vector<Job> jobs = jobs_of(project, word, all || solutions, before ? &*before : nullptr);
  if (jobs.empty()) {
    print(json ? "[]\n"
               : "No puzzle is done yet: there is nothing to verify. `workbook list` shows where you are.\n");
    return kCorrect;
  }
  project.prepare_state();
  std::optional<runs::Store> store;  // the tests of a puzzle read what its solutions did
  if (solutions) store = open_store(project);
  std::mutex mutex;
  runs::Json list = runs::Json::array();
  std::string reports;  // of what is not right
  int worst = kCorrect;
  Grid grid(jobs);
  const bool live = !json && stdout_is_terminal() && grid.fits();
  if (live) grid.draw();
  const auto now = [&](Job& job, Job::State state) {
    job.state = state;
    if (live) grid.draw();
  };
  const auto work = [&](Job& job) {
    {
      const std::lock_guard lock(mutex);
      now(job, Job::State::running);
    }
    const Judged result = verify(project, job, solutions, store ? &*store : nullptr);
    const std::lock_guard lock(mutex);
    worst = std::max(worst, result.status);
    list.push_back({{"puzzle", job.puzzle->number},
                    {"variant", job.variant->name},
                    {"verdict", word_of(result.verdict)},
                    {"ok", result.good}});
    now(job, result.good ? Job::State::good : Job::State::bad);
    if (!json && !live) print(lines_about(job, result));
    if (live && !result.good) reports += '\n' + lines_about(job, result);
  };
  // What the variants of one puzzle compile they share, and only one of them at a time can.
  std::vector<std::pair<std::size_t, std::size_t>> puzzles;
  for (std::size_t i = 0; i < jobs.size(); puzzles.back().second = ++i)
    if (i == 0 || jobs[i].puzzle != jobs[i - 1].puzzle) puzzles.emplace_back(i, i);
  parallel(puzzles.size(), worker_count(), [&](std::size_t i, std::size_t) {
    for (std::size_t job = puzzles[i].first; job < puzzles[i].second; ++job) work(jobs[job]);
  });
  if (json) print(runs::dump(list, 1) + '\n');
  if (!json) {
    const auto right =
        std::count_if(jobs.begin(), jobs.end(), [](const Job& j) { return j.state == Job::State::good; });
    print(fmt::format("{}{}{} of {} right.\n", reports, jobs.size() > 1 ? "\n" : "", right, jobs.size()));
  }
  return worst;
}

}  // namespace workbook::cli
