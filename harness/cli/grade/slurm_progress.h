// How far a cluster is with a class, for whoever waits for it.
#pragma once

#include <cstddef>
#include <string>

#include "cli/grade/slurm_jobs.h"

namespace workbook::cli {

/// One line that changes on a terminal; elsewhere a line for each tenth of the class, and for each other
/// reason to wait.
class SlurmProgress {
 public:
  explicit SlurmProgress(std::size_t all) : all_(all) {}
  ~SlurmProgress();
  SlurmProgress(const SlurmProgress&) = delete;
  SlurmProgress& operator=(const SlurmProgress&) = delete;

  void show(std::size_t done, const std::string& job, const SlurmQueue& queue);

 private:
  std::size_t all_, tenths_ = 0;
  std::string why_;
};

}  // namespace workbook::cli
