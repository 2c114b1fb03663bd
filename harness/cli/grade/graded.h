// What a submission got, and why: kept in a file of its own as soon as it is known, so that a run that was
// ended goes on where it was.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/grade/course.h"
#include "runs/json.h"

namespace workbook::cli {

struct GradedResult {
  std::string verdict;  ///< a word of runs::Verdict, "missing" or "not_counted"
  std::string mistake;  ///< what to count it under: a mutant's name, a finding's class, the verdict
  std::string says;     ///< about that, one sentence
  std::string report;   ///< as `workbook run` says it
  std::string file;     ///< within the submission; empty: missing
  double score = 0.0;
  double time_us = 0.0, bytes = 0.0;  ///< modelled, at the real shape; 0: not known
  std::string ratio;                  ///< "time 1.32 times the reference solution's"; empty: none
  /// On a GPU, where there was one, beside the modelled time: no mark depends on it. Without a device nothing
  /// was tried; without a time it could not be measured.
  double measured_us = 0.0;
  std::string measured_on;  ///< "NVIDIA H200"

  bool right() const { return verdict == "correct"; }
};

struct GradedSubmission {
  std::string learner;
  std::string key;                    ///< of all that it depends on
  std::string trouble;                ///< why it cannot be read
  std::vector<GradedResult> results;  ///< of the course's items, in their order

  double score() const;
};

/// Of a program: how the solution's ran on fresh data.
struct FreshReference {
  std::string output;
  int exit_code = 0;
  std::int64_t moved_bytes = 0;
  std::vector<std::string> results;  ///< arrays that reached the host, where these are judged
};

/// The reference solution's, by item.
struct GradedReference {
  std::vector<FreshReference> fresh;
  std::vector<runs::RunRecord> records;
  std::vector<std::vector<std::string>> left_out;  ///< fresh cases that the solution itself does not take
};

/// Nothing where the file is missing, damaged or of another key.
std::optional<GradedSubmission> read_graded(const std::filesystem::path& file, const std::string& key);
void write_graded(const std::filesystem::path& file, const GradedSubmission& graded);

/// A name for a folder: letters, digits, '.', '_', '-'; what is changed gets a hash behind it.
std::string folder_name(const std::string& learner);

/// "7.5", "10": points, and without what floating point adds.
std::string points_text(double points);

/// Gradescope's results.json of one submission.
std::string gradescope_results(const Course& course, const GradedSubmission& graded);

/// Whether anybody's solution of the item was timed on a GPU.
bool any_measured(const std::vector<GradedSubmission>& all, std::size_t item);

/// A row a learner: score, then score and verdict of each item.
std::string class_csv(const Course& course, const std::vector<GradedSubmission>& all);
std::string class_junit(const Course& course, const std::vector<GradedSubmission>& all);
/// One page with everything in it, for a browser without a network.
std::string class_page(const Course& course, const GradedReference& reference,
                       const std::vector<GradedSubmission>& all);

/// Text in XML and HTML, without control characters.
std::string escaped(std::string_view text);

}  // namespace workbook::cli
