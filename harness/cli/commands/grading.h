// What the forms of `workbook grade` share: judging a class (grade_command.cpp) and trying a course
// (grade_check.cpp).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "cli/commands/commands.h"
#include "cli/grade/course.h"
#include "cli/grade/sandbox.h"

namespace workbook::cli {

/// Null: none was asked for. Says on standard error what comes of it: the marks are all that is on standard
/// output.
std::unique_ptr<Sandbox> sandbox_of(const Project& project, const Course& course,
                                    const GradeOptions& options);

std::size_t jobs_of(const GradeOptions& options);

/// A line on the terminal: how many are done, and about how long the rest takes.
class GradeProgress {
 public:
  explicit GradeProgress(std::size_t all) : all_(all) {}
  ~GradeProgress();
  GradeProgress(const GradeProgress&) = delete;
  GradeProgress& operator=(const GradeProgress&) = delete;

  void kept();
  void begun(const std::string& learner);
  void ended();
  std::size_t kept_ones() const { return kept_; }

 private:
  std::size_t all_, done_ = 0, kept_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
};

/// What a course file means, and what a perfect, an empty and three wrong submissions get.
int check_course(const Project& project, const GradeOptions& options);

}  // namespace workbook::cli
