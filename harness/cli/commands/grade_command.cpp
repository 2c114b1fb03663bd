// `grade PATH...`: what a class handed in, judged for marks.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <clocale>
#include <memory>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/grading.h"
#include "cli/grade/judge.h"
#include "cli/grade/sandbox.h"
#include "cli/grade/slurm.h"
#include "cli/grade/slurm_jobs.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

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
                  .measured = options.measured,
                  .unconfined = options.unconfined};
  return request;
}

/// The GPU, or a word on why there are no times of it.
Device device_to_measure_on() {
  Device device = find_device();
  if (!device.usable) print_error(fitted("No times are measured: " + device.reason + '\n'));
  return device;
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
  const Device device = options.measured && !options.slurm ? device_to_measure_on() : Device();
  std::vector<GradedSubmission> all(places.size());
  GradeProgress progress(places.size());
  parallel(places.size(), jobs_of(options), [&](std::size_t i, std::size_t worker) {
    const Submission submission = read_submission(places[i]);
    const fs::path folder = out / "results" / folder_name(submission.learner);
    auto kept = read_graded(folder / "graded.json", judge.key_of(submission));
    if (!kept) progress.begun(submission.learner);
    all[i] = kept ? *std::move(kept) : judge.judge(submission, worker);
    const bool measured = device.usable && judge.measure(submission, device, worker, all[i]);
    if (!kept || measured) {
      write_file(folder / "results.json", gradescope_results(course, all[i]));
      if (!is_broken(all[i])) write_graded(folder / "graded.json", all[i]);  // last: from here on it is done
    }
    kept ? progress.kept() : progress.ended();
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
