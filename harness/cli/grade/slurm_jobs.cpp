#include "cli/grade/slurm_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/toolchain.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kLimit = std::chrono::minutes(2);  // SLURM's programs wait for a busy controller by themselves

ProcessResult ask(const std::vector<std::string>& command, const fs::path& folder = "/") {
  return run_process(command, folder, {.wall = kLimit, .output_bytes = 16 << 20});
}

/// "class, gpu"; empty where that cannot be asked.
std::string partitions() {
  const ProcessResult said = ask({"sinfo", "-h", "-o", "%R"});
  if (!said.ok()) return "";
  const std::vector<std::string> lines = lines_of(said.output);
  const std::set<std::string> names(lines.begin(), lines.end());
  return joined({names.begin(), names.end()}, ", ");
}

std::vector<std::string> fields_of(const std::string& line, std::size_t count) {
  std::vector<std::string> fields;
  std::size_t from = 0;
  while (fields.size() + 1 < count) {
    const std::size_t to = line.find('|', from);
    if (to == std::string::npos) return {};
    fields.push_back(line.substr(from, to - from));
    from = to + 1;
  }
  fields.push_back(line.substr(from));
  return fields;
}

}  // namespace

bool SlurmTask::waits() const {
  return state == "PENDING" || state == "REQUEUED" || state == "CONFIGURING" || state == "REQUEUE_HOLD";
}

bool SlurmTask::ended() const {
  static const std::set<std::string> kEnded = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",
                                               "FAILED",    "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY",
                                               "REVOKED",   "TIMEOUT"};
  return kEnded.contains(state);
}

bool SlurmTask::held() const {
  return state == "REQUEUE_HOLD" || state == "SPECIAL_EXIT" ||
         (waits() && (reason.find("held") != std::string::npos || reason.find("Held") != std::string::npos));
}

void need_slurm() {
  for (const char* program : {"sbatch", "squeue", "scancel"})
    if (find_tool(program, "").empty())
      throw HarnessError(fmt::format(
          "There is no {} here: --slurm hands submissions to a cluster's nodes, from a machine that has SLURM's "
          "programs. Without --slurm this machine judges them.",
          program));
}

std::string submit_job(const fs::path& script, const fs::path& folder) {
  const ProcessResult said = ask({"sbatch", "--parsable", script.string()}, folder);
  std::string words(trimmed(said.output));
  if (!said.ok()) {
    std::string more;
    if (words.find("partition") != std::string::npos)
      if (const std::string names = partitions(); !names.empty())
        more = "\nPartitions of this cluster: " + names + ". The course file's [slurm] says which.";
    throw UsageError(fmt::format("sbatch does not take the job {}:\n{}{}", script.string(),
                                 words.empty() ? "it did not answer" : words, more));
  }
  // The number, then perhaps ";cluster", in the last line: sites have sbatch say things before it.
  const std::size_t line = words.find_last_of('\n');
  if (line != std::string::npos) words = words.substr(line + 1);
  words = words.substr(0, words.find(';'));
  if (words.empty() || words.find_first_not_of("0123456789") != std::string::npos)
    throw HarnessError("sbatch's answer holds no job number: " + said.output);
  return words;
}

SlurmQueue look_at_job(const std::string& job) {
  const ProcessResult said = ask({"squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%K|%T|%N|%r"});
  SlurmQueue queue;
  if (!said.ok()) {
    if (said.output.find("Invalid job id") == std::string::npos) queue.trouble = trimmed(said.output);
    return queue;
  }
  for (const std::string& line : lines_of(said.output)) {
    const std::vector<std::string> fields = fields_of(line, 4);
    if (fields.empty()) continue;
    SlurmTask task{0, fields[1], fields[2], fields[3]};
    const char* const end = fields[0].data() + fields[0].size();
    if (std::from_chars(fields[0].data(), end, task.index).ptr == end) queue.tasks.push_back(task);
  }
  return queue;
}

void cancel_job(const std::string& job) { ask({"scancel", job}); }

}  // namespace workbook::cli
