// What the viewer can have done: runs, hints and chapters by the `workbook` of the repository, files in the
// user's editor. One job at a time; the list of puzzles is read beside it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/puzzles.h"
#include "session/task.h"

namespace workbook::viewer {

class Workbench {
 public:
  /// `repository` empty: everything answers that there is none. `state`: where runs are recorded; empty:
  /// where `workbook` puts them by itself.
  Workbench(std::filesystem::path repository, std::filesystem::path state);

  /// In each frame: reads what the programs have printed; true when something changed.
  bool poll();
  /// Starts reading the list again.
  void refresh();
  /// Waits for the list that is being read, for pictures.
  void wait_for_list();

  const std::vector<PuzzleEntry>& puzzles() const { return puzzles_; }
  const PuzzleEntry* puzzle(int number) const;
  /// Why there is no list, or why a job could not start; empty when all is well.
  const std::string& problem() const { return problem_; }
  bool reading() const { return list_.running(); }

  /// The selected puzzle (0: none), else the learner's current one.
  int at_hand(int selected) const;

  /// What R runs for a puzzle: what was chosen, else the next that is not done.
  std::string variant_of(int puzzle) const;
  void choose_variant(int puzzle, const std::string& variant) { chosen_[puzzle] = variant; }

  /// Each returns what to tell the user. A job that runs is not replaced.
  std::string run(int puzzle);
  std::string hint(int puzzle);
  std::string book(int puzzle);
  std::string edit(int puzzle);
  void cancel() { work_.cancel(); }

  bool busy() const { return work_.running(); }
  bool any_job() const { return !title_.empty(); }
  const std::string& title() const { return title_; }  ///< of the last job: "workbook run 22 --fused"
  Job job() const { return job_; }
  const Task& work() const { return work_; }
  std::string outcome() const;  ///< in words; empty while it runs
  bool succeeded() const { return work_.exit_code() == 0 && !work_.cancelled(); }

 private:
  void read_list();
  void finish();
  std::string start(Job job, const std::vector<std::string>& words);
  std::vector<std::pair<std::string, std::string>> environment() const;
  std::filesystem::path program() const;  ///< $WORKBOOK, or the repository's

  std::filesystem::path repository_, state_;
  Task list_, work_;
  Job job_ = Job::run;
  std::vector<PuzzleEntry> puzzles_;
  std::map<int, std::string> chosen_;
  std::string problem_, title_;
};

}  // namespace workbook::viewer
