// The job that `workbook grade --slurm` hands to a cluster: an array of chunks, each a list of submissions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace workbook::cli {

/// [slurm] of a course file.
struct SlurmTable {
  std::string partition, account;  ///< empty: the cluster's default
  std::vector<std::string> flags;  ///< of sbatch, as they are: "--time=02:00:00"
  int chunk = 30;                  ///< submissions a task, at most; more where there would be too many tasks
  int workers = 2;                 ///< that judge side by side within a task
  int tries = 3;                   ///< jobs, until what has no result is given up
};

/// What one job judges, and with what. Paths are absolute, and the same on every node.
struct SlurmPlan {
  SlurmTable table;
  int attempt = 1;
  std::size_t submissions = 0, chunks = 0, chunk = 0;  ///< `chunk` submissions in each but the last
  std::filesystem::path out;                           ///< where results, lists and logs lie
  std::filesystem::path root, cache, program;          ///< of the workbook
  std::uint64_t seed = 0;
  int memory_mb = 0;      ///< that a submission may use
  bool measured = false;  ///< on nodes' GPUs, also where the table's flags ask for some
  bool unconfined = false;
};

/// The most tasks that a cluster takes in one array when nobody has set it otherwise.
inline constexpr std::size_t kMostTasks = 1000;

/// Submissions a task. The last try has one in each, so that what ends a task takes nobody along.
std::size_t chunk_size(const SlurmTable& table, int attempt, std::size_t submissions);

/// For sbatch, which is to be started in `out`.
std::string slurm_script(const SlurmPlan& plan);

// The files of a job, in `out`.
inline std::filesystem::path slurm_folder(const std::filesystem::path& out) { return out / "slurm"; }
inline std::filesystem::path slurm_course(const std::filesystem::path& out) {
  return out / "slurm/course.toml";
}
std::filesystem::path slurm_list(const std::filesystem::path& out, std::size_t chunk);
/// Made by a task as soon as it runs: what is missing here ran where nobody sees this folder.
std::filesystem::path slurm_begun(const std::filesystem::path& out, std::size_t chunk);
std::filesystem::path slurm_log(const std::filesystem::path& out, const std::string& job, std::size_t chunk);

}  // namespace workbook::cli
