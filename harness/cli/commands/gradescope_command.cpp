// `grade --gradescope ZIP course.toml`: what Gradescope takes. And what its image then asks for: --prepare,
// when it is made;
// --results, for one submission, in a container that is thrown away afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/grade/gradescope.h"
#include "cli/grade/judge.h"
#include "cli/grade/sandbox.h"
#include "cli/grade/users.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

// Of the container's memory: what workbook, judge and system take while a submission is compiled or run.
constexpr int kKeptMemoryMb = 160;

void tell(const std::string& sentence) { print(wrapped(sentence, kScreen, "") + '\n'); }

/// The course, within what this container has.
Course fitting_course(const Project& project, const GradeOptions& options) {
  if (options.course.empty()) throw UsageError("--results and --prepare want --course course.toml.");
  Course course = read_course(project, options.course, options.seed);
  const int most = container_memory_mb() - kKeptMemoryMb;
  if (most > 0 && most < course.limits.memory_mb) {
    tell(fmt::format("This container has {} MB of memory: a submission gets {} MB instead of {}.",
                     container_memory_mb(), most, course.limits.memory_mb));
    course.limits.memory_mb = most;
  }
  return course;
}

/// A sandbox, or, for one submission in a container, what is left without. Says which.
std::unique_ptr<Confinement> confinement(const Project& project, const Course& course) {
  try {
    auto sandbox = std::make_unique<Sandbox>(project.state(), course.limits);
    for (const std::string& sentence : sandbox->missing()) tell(sentence);
    return sandbox;
  } catch (const HarnessError& error) {
    auto users = std::make_unique<Users>(project.state(), course.limits);
    tell(error.what());
    tell(
        "Without the sandbox the submission is compiled and run by users of their own, with limits and without system "
        "calls for processes and networks. SECURITY.md says what that keeps out, and what not.");
    return users;
  }
}

fs::path reference_of(const Project& project) {
  return project.state() / "grade" / "gradescope-reference.json";
}

/// For a task whose turn has not come.
GradedResult waiting() {
  GradedResult result;
  result.verdict = result.mistake = "not judged";
  result.report = fitted(
      "This was not judged: the time for one submission was up before its turn, or judging is still under way. An endless "
      "loop or a very slow kernel in a task before it may be why.\n");
  return result;
}

GradedSubmission padded(const Course& course, GradedSubmission graded) {
  graded.results.resize(course.items.size(), waiting());
  return graded;
}

int pack(const Project& project, const GradeOptions& options) {
  const std::string file =
      options.course.empty() && options.paths.size() == 1 ? options.paths.front() : options.course;
  if (file.empty())
    throw UsageError(
        "--gradescope wants a course file: workbook grade --gradescope autograder.zip course.toml.");
  const Course course = read_course(project, file, options.seed);
  if (options.seed != 0) throw UsageError("--gradescope takes the course file as it is: write `seed` there.");
  write_autograder(file, options.gradescope);
  show(fmt::format(
      "{} was written, {:.0f} MB, for {}. Upload it as the assignment's autograder; Ubuntu 22.04 or 24.04 is its base "
      "image.\n",
      options.gradescope, static_cast<double>(fs::file_size(options.gradescope)) / 1e6,
      count_text(static_cast<std::int64_t>(course.items.size()), "task")));
  return kCorrect;
}

int prepare(const Project& project, const GradeOptions& options) {
  const Course course = fitting_course(project, options);
  project.prepare_state();
  const std::unique_ptr<Confinement> by = confinement(project, course);
  const ClassJudge judge(project, course, by.get(), reference_of(project));
  tell(fmt::format("{} are ready to be judged.",
                   count_text(static_cast<std::int64_t>(course.items.size()), "task")));
  return kCorrect;
}

int judge_one(const Project& project, const GradeOptions& options) {
  if (options.paths.size() != 1) throw UsageError("--results is for one submission.");
  const Course course = fitting_course(project, options);
  const Submission submission = read_submission({"submission", options.paths.front()});
  const auto write = [&](GradedSubmission graded) {
    graded.trouble = submission.trouble;
    write_file(options.results, gradescope_results(course, padded(course, std::move(graded))));
  };
  write({});
  project.prepare_state();
  std::error_code ignored;
  fs::remove_all(project.state() / "build",
                 ignored);  // the solutions' builds, which no submission is to find
  const std::unique_ptr<Confinement> by = confinement(project, course);
  const ClassJudge judge(project, course, by.get(), reference_of(project));
  const GradedSubmission graded = judge.judge(submission, 0, write);
  tell(fmt::format("{} of {} points.", points_text(graded.score()), points_text(course.most())));
  for (const GradedResult& result : graded.results)
    if (result.verdict == runs::word_of(runs::Verdict::harness_error)) return kHarnessFault;
  return kCorrect;
}

}  // namespace

int gradescope_command(const Project& project, const GradeOptions& options) {
  if (!options.gradescope.empty()) return pack(project, options);
  return options.prepare ? prepare(project, options) : judge_one(project, options);
}

}  // namespace workbook::cli
