// `grade PATH...`: what a class handed in, judged for marks; `--check`: what a course file means, and what a
// perfect, an empty and three wrong submissions get.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <memory>
#include <mutex>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/grade/judge.h"
#include "cli/grade/sandbox.h"
#include "cli/grade/slurm.h"
#include "cli/grade/slurm_jobs.h"
#include "cli/project/answers.h"
#include "cli/project/beginning.h"
#include "cli/project/mutant.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// Says on standard error what comes of it: the marks are all that is on standard output.
std::unique_ptr<Sandbox> sandbox_of(const Project& project, const Course& course,
                                    const GradeOptions& options) {
  if (options.unconfined) {
    print_error(fitted("No sandbox: every submission runs as you, and may do what you may.\n"));
    return nullptr;
  }
  auto sandbox = std::make_unique<Sandbox>(project.state(), course.limits);
  if (options.chunk.empty())  // else it was said where the job was handed in
    for (const std::string& sentence : sandbox->missing()) print_error(wrapped(sentence, kScreen, "") + '\n');
  return sandbox;
}

/// A line on the terminal: how many are done, and about how long the rest takes.
class GradeProgress {
 public:
  explicit GradeProgress(std::size_t all) : all_(all) {}
  ~GradeProgress() { say_progress(""); }
  GradeProgress(const GradeProgress&) = delete;
  GradeProgress& operator=(const GradeProgress&) = delete;

  void kept() {
    const std::lock_guard lock(mutex_);
    ++kept_, ++done_;
  }
  void begun(const std::string& learner) {
    const std::lock_guard lock(mutex_);
    const std::size_t judged = done_ - kept_;
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::string left =
        judged < 4 ? ""
                   : fmt::format(", about {:.0f} s left",
                                 seconds * static_cast<double>(all_ - done_) / static_cast<double>(judged));
    say_progress(fmt::format("  {} of {} graded{}: {}", done_, all_, left, learner.substr(0, 40)));
  }
  void ended() {
    const std::lock_guard lock(mutex_);
    ++done_;
  }
  std::size_t kept_ones() const { return kept_; }

 private:
  std::size_t all_, done_ = 0, kept_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
};

bool hands_in(const Submission& submission, const Puzzle& puzzle) {
  const std::vector<std::string> files = puzzle.files();
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return file_of(submission, puzzle, file, false) != nullptr;
  });
}

/// Without a course file: the puzzles that anybody handed in.
Course course_without_file(const Project& project, const std::vector<SubmissionPlace>& places,
                           std::uint64_t seed) {
  std::vector<const Puzzle*> found;
  for (const SubmissionPlace& place : places) {
    const Submission submission = read_submission(place);
    for (const Puzzle& puzzle : project.puzzles())
      if (puzzle.fault.empty() && std::find(found.begin(), found.end(), &puzzle) == found.end() &&
          hands_in(submission, puzzle))
        found.push_back(&puzzle);
  }
  std::sort(found.begin(), found.end(),
            [](const Puzzle* a, const Puzzle* b) { return a->number < b->number; });
  Course course = course_of(found, seed);
  if (course.items.empty())
    throw UsageError(
        "No submission has a kernels.cu in a folder that names its puzzle (22_layernorm_linear, puzzle22). A course file "
        "says which puzzle is meant: --course course.toml.");
  return course;
}

void write_class(const Course& course, const GradedReference& reference,
                 const std::vector<GradedSubmission>& all, const fs::path& out) {
  write_file(out / "class.csv", class_csv(course, all));
  write_file(out / "junit.xml", class_junit(course, all));
  write_file(out / "index.html", class_page(course, reference, all));
}

/// What is the workbook's own fault is judged again.
bool is_broken(const GradedSubmission& graded) {
  return std::any_of(graded.results.begin(), graded.results.end(), [](const GradedResult& result) {
    return result.verdict == runs::word_of(runs::Verdict::harness_error);
  });
}

std::string summary(const Course& course, const std::vector<GradedSubmission>& all) {
  Table table({"what", "right", "wrong", "nothing", "mean"});
  for (std::size_t i = 0; i < course.items.size(); ++i) {
    std::size_t right = 0, nothing = 0;
    double sum = 0.0;
    for (const GradedSubmission& graded : all) {
      const GradedResult& result = graded.results[i];
      right += result.right();
      nothing += result.verdict == "missing" || result.verdict == "not_filled";
      sum += result.score;
    }
    table.row({course.items[i].name(), std::to_string(right), std::to_string(all.size() - right - nothing),
               std::to_string(nothing), points_text(sum / static_cast<double>(all.size()))});
  }
  return table.text("");
}

/// The marks for programs, an entry a learner.
std::string marks_json(const Course& course, const std::vector<GradedSubmission>& all) {
  runs::Json list = runs::Json::array();
  for (const GradedSubmission& graded : all) {
    runs::Json results = runs::Json::array();
    for (std::size_t i = 0; i < graded.results.size(); ++i)
      results.push_back({{"puzzle", course.items[i].puzzle->number},
                         {"variant", course.items[i].variant->name},
                         {"score", graded.results[i].score},
                         {"verdict", graded.results[i].verdict},
                         {"mistake", graded.results[i].mistake}});
    list.push_back({{"learner", graded.learner},
                    {"score", graded.score()},
                    {"most", course.most()},
                    {"trouble", graded.trouble},
                    {"results", std::move(results)}});
  }
  return runs::dump(list, 1) + '\n';
}

std::size_t jobs_of(const GradeOptions& options) {
  return options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : worker_count();
}

SlurmRequest slurm_request(const Project& project, const Course& course, const GradeOptions& options,
                           const fs::path& out) {
  if (options.course.empty())
    throw UsageError(
        "--slurm wants a course file: --course course.toml. It says what is judged, and its [slurm] where.");
  SlurmRequest request{{}, read_file(options.course), out};
  request.plan = {.table = course.slurm,
                  .out = out,
                  .root = project.root(),
                  .cache = fs::absolute(project.state() / "cache"),
                  .program = fs::read_symlink("/proc/self/exe"),
                  .seed = course.seed,
                  .memory_mb = course.limits.memory_mb,
                  .unconfined = options.unconfined};
  return request;
}

int grade_class(const Project& project, const GradeOptions& options) {
  const std::vector<SubmissionPlace> places =
      options.chunk.empty() ? find_submissions(options.paths) : read_list(options.chunk);
  const Course course = options.course.empty() ? course_without_file(project, places, options.seed)
                                               : read_course(project, options.course, options.seed);
  const fs::path out = fs::absolute(options.out.empty() ? "grades" : options.out);
  if (options.dry_run) {
    print(first_slurm_script(slurm_request(project, course, options, out).plan, places.size()));
    return kCorrect;
  }
  if (options.slurm) need_slurm();
  project.prepare_state();
  std::optional<FileLock> one_at_a_time;  // workers have folders of their own
  one_at_a_time.emplace(project.state() / "grade" / "lock");
  const std::unique_ptr<Sandbox> sandbox = sandbox_of(project, course, options);
  const ClassJudge judge(
      project, course, sandbox.get(), out / "reference.json",
      options.chunk.empty() ? ClassJudge::References::run_where_missing : ClassJudge::References::only_kept);
  std::size_t by_cluster = 0;
  if (options.slurm) {
    one_at_a_time.reset();  // only what the reference took was built here
    by_cluster = judge_by_slurm(judge, places, slurm_request(project, course, options, out));
  }
  std::vector<GradedSubmission> all(places.size());
  GradeProgress progress(places.size());
  parallel(places.size(), jobs_of(options), [&](std::size_t i, std::size_t worker) {
    const Submission submission = read_submission(places[i]);
    const fs::path folder = out / "results" / folder_name(submission.learner);
    if (auto kept = read_graded(folder / "graded.json", judge.key_of(submission))) {
      all[i] = *std::move(kept);
      progress.kept();
      return;
    }
    progress.begun(submission.learner);
    all[i] = judge.judge(submission, worker);
    write_file(folder / "results.json", gradescope_results(course, all[i]));
    if (!is_broken(all[i])) write_graded(folder / "graded.json", all[i]);  // last: from here on it is done
    progress.ended();
  });
  say_progress("");
  const bool broken = std::any_of(all.begin(), all.end(), is_broken);
  if (!options.chunk.empty()) return broken ? kHarnessFault : kCorrect;
  write_class(course, judge.reference(), all, out);
  const std::size_t judged = places.size() - progress.kept_ones() + by_cluster;
  if (options.json)
    print(marks_json(course, all));
  else
    show(summary(course, all) +
         fmt::format("\n{} judged{}. See {}; class.csv, junit.xml and a results.json each lie beside it.\n",
                     count_text(static_cast<std::int64_t>(judged), "submission"),
                     judged < places.size() ? fmt::format(", {} already were", places.size() - judged) : "",
                     (out / "index.html").string()));
  if (!broken) return kCorrect;
  print_error(fitted(
      "The workbook could not judge some of them: their reports say why, and the next run tries again.\n"));
  return kHarnessFault;
}

/// Three mutants of the item's variant, spread over those that there are.
std::vector<std::pair<std::string, std::string>> three_mutants(const Project& project,
                                                               const GradedItem& item) {
  std::vector<std::pair<std::string, std::string>> own;
  for (const WrittenMutant& written : mutants_of(project, *item.puzzle)) {
    const Mutant mutant = read_mutant(project, *item.puzzle, written);
    if (mutant.variant == item.variant->name && written.name != item.variant->begins)  // that is the skeleton
      own.emplace_back(written.name, mutant.kernels);
  }
  if (own.size() <= 3) return own;
  return {own.front(), own[own.size() / 2], own.back()};
}

/// The answers with one of them changed, three times.
std::vector<std::pair<std::string, std::string>> three_wrong_answers(const GradedItem& item,
                                                                     const std::string& answers) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto& asked = item.variant->program->answers;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, asked.size()); ++i) {
    const std::string& question = asked[i * (asked.size() - 1) / 2].first;
    std::string text;
    for (const std::string& line : lines_of(answers))
      text += (line.starts_with(question + ':') ? question + ": none of these" : line) + '\n';
    all.emplace_back("'" + question + "' answered wrong", text);
  }
  return all;
}

struct CheckedSubmission {
  std::size_t item;
  std::string name, text, answers;
  bool perfect = false;
  GradedResult result = {};

  /// Whether it got what it must not, or not what it should.
  bool is_odd(const Course& course) const {
    return perfect ? result.score + 1e-9 < course.items[item].most() : result.score > 0.0;
  }
};

int print_checked(const Course& course, const std::vector<CheckedSubmission>& all) {
  runs::Json list = runs::Json::array();
  bool odd = false;
  for (const CheckedSubmission& each : all) {
    const GradedItem& item = course.items[each.item];
    odd = odd || each.is_odd(course);
    list.push_back({{"puzzle", item.puzzle->number},
                    {"variant", item.variant->name},
                    {"handed_in", each.name},
                    {"verdict", each.result.verdict},
                    {"score", each.result.score},
                    {"most", item.most()},
                    {"ok", !each.is_odd(course)}});
  }
  print(runs::dump(list, 1) + '\n');
  return odd ? kWrong : kCorrect;
}

int check_course(const Project& project, const GradeOptions& options) {
  const std::string file =
      options.course.empty() && options.paths.size() == 1 ? options.paths.front() : options.course;
  if (file.empty()) throw UsageError("--check wants a course file: workbook grade --check course.toml.");
  const Course course = read_course(project, file, options.seed);
  if (!options.json) show(course.words() + '\n');
  project.prepare_state();
  const FileLock one_at_a_time(project.state() / "grade" / "lock");
  const std::unique_ptr<Sandbox> sandbox = sandbox_of(project, course, options);
  const ClassJudge judge(project, course, sandbox.get(), project.state() / "grade" / "check-reference.json");
  std::vector<CheckedSubmission> all;
  for (std::size_t i = 0; i < course.items.size(); ++i) {
    const GradedItem& item = course.items[i];
    const std::string solution = read_file(item.puzzle->solved_file(*item.variant)),
                      answers = read_file_if_any(item.puzzle->solution / kAnswersFile).value_or("");
    all.push_back({i, "the solution", solution, answers, true});
    all.push_back({i, "the skeleton", beginning_of(project, *item.puzzle, item.variant->file), ""});
    if (ClassJudge::file_handed_in(item) == kAnswersFile)
      for (auto& [name, wrong] : three_wrong_answers(item, answers))
        all.push_back({i, name, solution, wrong});
    for (auto& [name, text] : three_mutants(project, item))
      all.push_back({i, name, std::move(text), answers});
  }
  GradeProgress progress(all.size());
  parallel(all.size(), jobs_of(options), [&](std::size_t i, std::size_t worker) {
    progress.begun(all[i].name);
    all[i].result = judge.judge(all[i].item, runs::kLearner, all[i].text, all[i].answers, worker);
    progress.ended();
  });
  say_progress("");
  if (options.json) return print_checked(course, all);
  Table table({"what", "handed in", "verdict", "points", ""});
  for (const std::size_t column : {1, 2, 3, 4}) table.left(column);
  bool odd = false;
  for (const CheckedSubmission& each : all) {
    odd = odd || each.is_odd(course);
    const GradedItem& item = course.items[each.item];
    table.row({fmt::format("{:02} --{}", item.puzzle->number, item.variant->name), each.name,
               replaced(each.result.verdict, "_", " "),
               fmt::format("{} of {}", points_text(each.result.score), points_text(item.most())),
               each.is_odd(course) ? "LOOK" : ""});
  }
  print(table.text(""));
  for (std::size_t i = 0; i < course.items.size(); ++i)
    if (const auto& left_out = judge.reference().left_out[i]; !left_out.empty())
      show(fmt::format(
          "{}: with this seed the solution itself does not take these fresh shapes, which are left out: {}.\n",
          course.items[i].name(), joined(left_out, ", ")));
  show(odd ? "\nNot every one got what it should: look at the rows that say so.\n"
           : "\nThe solutions get every point, the others none.\n");
  return odd ? kWrong : kCorrect;
}

}  // namespace

int grade_command(const Project& project, const GradeOptions& options) {
  std::setlocale(LC_CTYPE, "C.UTF-8");  // names in archives
  set_colour(false);                    // reports go into files
  // At once, and what runs with it: no result may come of children that were ended first.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  if (options.prepare || !options.gradescope.empty() || !options.results.empty())
    return gradescope_command(project, options);
  return options.check ? check_course(project, options) : grade_class(project, options);
}

}  // namespace workbook::cli
