// One variant of the puzzle that the child program is linked with: checked case by case, timed, and reported.
// For child_main.cpp.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.h"
#include "backend.h"
#include "case_check.h"
#include "fingerprint.h"
#include "fresh.h"
#include "mistakes.h"
#include "runs/record.h"
#include "runs/trace.h"
#include "stage.h"
#include "supposition.h"

namespace workbook::core {

/// Sizes that were asked for and cannot be.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Runner {
 public:
  Runner(Backend& backend, Stage& stage, const Arguments& arguments, const Variant& variant);
  void run();
  /// The findings so far, those of the case that runs now among them. For signal handlers.
  runs::RunRecord partial_report();

  runs::RunRecord report;
  runs::Trace trace;
  /// Of the first wrong case, with what there is of the others; where none is wrong, of the first over
  /// budget.
  Fingerprint print;

 private:
  void (*steps() const)(Run&);
  /// What is known when all cases have been seen.
  void explain();
  /// What takes more runs, of the reference and of the kernel.
  std::string look_closer(const Case& which);
  /// Whether a finding says what is wrong in a case.
  static bool has_error(const std::vector<runs::Finding>& findings, std::string_view on_case);
  /// Then the threads waited in vain, or did not wait: what is wrong in the output only follows from it.
  static bool has_misused_barrier(const std::vector<runs::Finding>& findings, std::string_view on_case);
  void call();
  /// --size replaces sizes of the teaching shape and checks that one case only.
  void check_cases();
  void check_large();
  /// What is wrong already is told by the cases that the learner knows.
  void check_fresh(std::span<const Case> seen, runs::PhaseKind phase);
  static bool is_clean(const std::vector<runs::Finding>& findings);
  /// Whether a finding says what was asked for. Of what is wrong every case is needed to know the cause.
  bool is_told() const;
  Dims with_sizes(Dims dims) const;
  void check(const Case& which, runs::PhaseKind phase, bool teaching);
  void add_to_print(CheckedCase& checked);
  void add_failed_launch(const LaunchFailed& failure, const std::string& on_case);
  void take_trace(const CheckedCase& checked);
  void add(runs::Finding finding);
  void benchmark();
  void benchmark_shape(const std::string& name, const Dims& dims, bool time_cpu);
  /// Whether the file is not one of those that are given.
  static bool is_learners(const std::string& file);
  double time_cpu_version(const Prepared& data) const;

  Backend& backend_;
  Stage& stage_;
  const Arguments& arguments_;
  const Variant& variant_;
  const Task& task_;
  const Launcher* launcher_;  ///< the end of all where another program has them
  KnownMistakes known_;
  Suppositions suppositions_;
  std::deque<FreshCases> fresh_;      ///< whose names are looked at as long as this lives
  std::vector<std::string> certain_;  ///< wrong cases that no known mistake has to explain
  bool ended_ = false;
  std::string running_case_;
  std::optional<Case> unexplained_;  ///< the first wrong case, where only places were told of it
  bool goes_on_ = false;             ///< what was told of it: CheckedCase::goes_on
  bool kept_wrong_ = false;          ///< trace has the values of a wrong case
};

}  // namespace workbook::core
