// A cluster as SLURM's own programs show it: jobs are handed in, looked at and cancelled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace workbook::cli {

/// A task of a job array.
struct SlurmTask {
  std::size_t index = 0;
  std::string state;  ///< SLURM's word: "RUNNING", "TIMEOUT"
  std::string node;   ///< empty: none yet
  std::string reason;

  bool waits() const;  ///< in the queue
  bool ended() const;
  bool held() const;  ///< it waits until somebody lets it: it could not be started
};

struct SlurmQueue {
  std::string trouble;           ///< why the cluster did not answer; empty: it did
  std::vector<SlurmTask> tasks;  ///< of the job; what ended some minutes ago is no longer among them
};

/// Throws HarnessError where SLURM's programs are not.
void need_slurm();

/// Its number. Throws UsageError in sbatch's words where the cluster does not take it.
std::string submit_job(const std::filesystem::path& script, const std::filesystem::path& folder);

SlurmQueue look_at_job(const std::string& job);

void cancel_job(const std::string& job);

}  // namespace workbook::cli
