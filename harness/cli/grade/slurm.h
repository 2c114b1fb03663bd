// `workbook grade --slurm`: the nodes of a cluster judge what has no result yet, into the same files as
// without. A machine that watches (this one) submits, shows how far it is, and takes up what was left over.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/grade/judge.h"
#include "cli/grade/slurm_script.h"
#include "cli/grade/submission.h"

namespace workbook::cli {

struct SlurmRequest {
  SlurmPlan plan;             ///< of the first job; counts are filled in
  std::string course;         ///< the course file's text: the jobs read a copy, whatever becomes of it
  std::filesystem::path out;  ///< results
};

/// The script of a job for all of them, as it would be for a class of which nothing is judged yet.
std::string first_slurm_script(SlurmPlan plan, std::size_t submissions);

/// Returns how many submissions were judged once each has a result in `out`, and throws Failure where some
/// have none after the last try, or a job does not get anywhere. A job that an earlier call left behind is
/// waited for. Ctrl-C ends the call and leaves the job.
std::size_t judge_by_slurm(const ClassJudge& judge, const std::vector<SubmissionPlace>& places,
                           const SlurmRequest& request);

/// Submissions by their paths, a zero byte behind each: no name can contain it.
void write_list(const std::filesystem::path& file, const std::vector<SubmissionPlace>& places);
std::vector<SubmissionPlace> read_list(const std::filesystem::path& file);

}  // namespace workbook::cli
