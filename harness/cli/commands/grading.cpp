#include "cli/commands/grading.h"

#include <fmt/format.h>

#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"

namespace workbook::cli {

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

std::size_t jobs_of(const GradeOptions& options) {
  return options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : worker_count();
}

GradeProgress::~GradeProgress() { say_progress(""); }

void GradeProgress::kept() {
  const std::lock_guard lock(mutex_);
  ++kept_, ++done_;
}

void GradeProgress::begun(const std::string& learner) {
  const std::lock_guard lock(mutex_);
  const std::size_t judged = done_ - kept_;
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::string left =
      judged < 4 ? ""
                 : fmt::format(", about {:.0f} s left",
                               seconds * static_cast<double>(all_ - done_) / static_cast<double>(judged));
  say_progress(fmt::format("  {} of {} graded{}: {}", done_, all_, left, learner.substr(0, 40)));
}

void GradeProgress::ended() {
  const std::lock_guard lock(mutex_);
  ++done_;
}

}  // namespace workbook::cli
