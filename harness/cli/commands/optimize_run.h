// `optimize NAME`: all graphs equal to a small tensor program, verified; the best plan's kernels, run and
// written. Where that takes long it goes in rounds: kernels for the program as it stands after some seconds,
// then better ones.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/optimize_plans.h"

namespace workbook::cli {

class OptimizeRun {
 public:
  /// `shown`: what is asked and what there is so far is printed while it is searched.
  OptimizeRun(const Project& project, const opt::Program& program, const OptimizeOptions& options,
              opt::SearchOptions search, bool shown = true);
  /// The exit status. Ends the process where Ctrl-C was pressed.
  int run() {
    find();
    return tell();
  }
  /// Searches, and prints what goes on; then what was found is told, or not.
  void find();
  int tell();
  /// Of the plan that was chosen; nothing where none was.
  std::optional<double> modelled_us() const;

 private:
  void open_store();
  /// Goes on for so many seconds with what is not done yet, the search first, then pricing; whether all is
  /// done.
  bool round(double seconds);
  void search(double seconds);
  void schedule(double seconds, bool last);
  /// What there is when Ctrl-C came before any kernel.
  void rescue();
  double seconds_left() const;
  void show_best_so_far();
  void report();
  void keep_record();

  const Project& project_;
  const opt::Program& program_;
  const OptimizeOptions& options_;
  bool shown_;
  opt::SearchOptions search_options_;
  Device device_;
  std::unique_ptr<opt::SearchStore> store_;
  std::string key_;
  int most_ = 0;  ///< operations
  opt::LaunchMemo memo_;
  std::map<int, opt::Depth> depths_;   ///< that are finished
  std::optional<opt::Search> search_;  ///< the last one
  std::vector<opt::Reported> graphs_;
  std::optional<PlansDone> plans_;  ///< the last ones of which one was chosen, else the last
  std::string waited_;              ///< for whom, a sentence, where Ctrl-C came meanwhile
  std::string said_;                ///< the best so far
  double begun_s_ = 0.0;
};

}  // namespace workbook::cli
