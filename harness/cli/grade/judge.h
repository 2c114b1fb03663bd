// Judges what was handed in: the same runs as `workbook run`'s, with fresh cases on top, and points for them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/confinement.h"
#include "cli/grade/graded.h"
#include "cli/grade/judged_once.h"
#include "cli/grade/submission.h"
#include "cli/run/execute.h"

namespace workbook::cli {

class ClassJudge {
 public:
  enum class References { run_where_missing, only_kept };

  /// `by` confines compilers and programs; null: nothing does. It runs the reference solutions (or finds them
  /// in `kept`, which may be the only way) and throws HarnessError where one is not right.
  ClassJudge(const Project& project, const Course& course, const Confinement* by, std::filesystem::path kept,
             References references = References::run_where_missing);

  const GradedReference& reference() const { return reference_; }

  /// Of all that a submission's marks depend on.
  std::string key_of(const Submission& submission) const;

  /// `worker`: no two at work at a time have the same.
  /// `judged`, where there is one, is told of what is known after each item.
  GradedSubmission judge(const Submission& submission, std::size_t worker,
                         const std::function<void(const GradedSubmission&)>& judged = {}) const;

  /// Adds times on `device` to what is right and has none; whether there were any to add. No mark changes.
  bool measure(const Submission& submission, const Device& device, std::size_t worker,
               GradedSubmission& graded) const;

  /// One item; `whose` as records name it, `answers` what stands in answers.txt.
  GradedResult judge(std::size_t item, const std::string& whose, const std::string& text,
                     const std::string& answers, std::size_t worker) const;

  /// The file that an item is handed in as: the learner's, or answers.txt where there is nothing else to
  /// write.
  static std::string file_handed_in(const GradedItem& item);

 private:
  GradedResult judge_kernels(std::size_t item, const std::string& whose, const std::string& text,
                             std::size_t worker) const;
  GradedResult judge_program(std::size_t item, const std::string& whose, const std::string& text,
                             const std::string& answers, std::size_t worker) const;
  /// Empties `fault` and makes the request of kernels that are handed in, or says why they are not compiled.
  RunRequest request_of_kernels(std::size_t item, const std::string& whose, const std::string& text,
                                std::size_t worker, std::string& fault) const;
  /// What is right on the data that learners see, on fresh ones.
  void judge_afresh(std::size_t item, const RunRequest& request, GradedResult& result) const;
  GradedResult result_of(const GradedItem& item, const RunOutcome& outcome) const;
  void run_reference_program(std::size_t item, std::size_t worker);
  RunRequest request_of(std::size_t item, const std::string& whose, const std::string& text,
                        std::size_t worker) const;
  void run_references();
  void run_reference(std::size_t item, std::size_t worker);
  bool take_kept_references();
  void keep_references() const;

  const Project& project_;
  const Course& course_;
  const Confinement* by_;
  std::filesystem::path kept_;
  std::string base_key_;
  GradedReference reference_;
  mutable JudgedOnce judged_;
};

}  // namespace workbook::cli
