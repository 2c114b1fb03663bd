#include "cli/grade/slurm_progress.h"

#include <fmt/format.h>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"

namespace workbook::cli {

SlurmProgress::~SlurmProgress() { say_progress(""); }

void SlurmProgress::show(std::size_t done, const std::string& job, const SlurmQueue& queue) {
  std::size_t run = 0, wait = 0;
  std::string why;
  for (const SlurmTask& task : queue.tasks) {
    wait += task.waits();
    run += !task.waits() && !task.ended();
    if (task.waits() && task.reason != "None") why = " (" + task.reason + ")";
  }
  std::string line =
      fmt::format("{} of {} graded; job {}: {} run, {} wait{}", done, all_, job, run, wait, why);
  if (!queue.trouble.empty()) line = fmt::format("{} of {} graded; the cluster does not answer", done, all_);
  say_progress("  " + line.substr(0, kScreen - 4));
  if (stdout_is_terminal() || (10 * done / all_ == tenths_ && (why.empty() || why == why_))) return;
  tenths_ = 10 * done / all_;
  if (!why.empty()) why_ = why;
  print_error("  " + line + '\n');
}

}  // namespace workbook::cli
