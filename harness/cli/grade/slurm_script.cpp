#include "cli/grade/slurm_script.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMemoryBeside_mb = 1024;  // the judge, the compiler's files

/// As one word of the shell, whatever it holds.
std::string quoted(const std::string& word) { return '\'' + replaced(word, "'", "'\\''") + '\''; }

/// Whether sbatch is told to give each task a GPU, in one of its ways to say so.
bool asks_for_gpus(const SlurmTable& table) {
  return std::any_of(table.flags.begin(), table.flags.end(), [](const std::string& flag) {
    return flag.starts_with("-G") || flag.starts_with("--gpus") ||
           (flag.starts_with("--gres") && flag.find("gpu") != std::string::npos);
  });
}

}  // namespace

std::size_t chunk_size(const SlurmTable& table, int attempt, std::size_t submissions) {
  const std::size_t wanted =
      attempt > 1 && attempt == table.tries ? 1 : static_cast<std::size_t>(table.chunk);
  return std::max(wanted, (submissions + kMostTasks - 1) / kMostTasks);
}

fs::path slurm_list(const fs::path& out, std::size_t chunk) {
  return slurm_folder(out) / "chunks" / fmt::format("{}.list", chunk);
}

fs::path slurm_begun(const fs::path& out, std::size_t chunk) {
  return slurm_folder(out) / "chunks" / fmt::format("{}.begun", chunk);
}

fs::path slurm_log(const fs::path& out, const std::string& job, std::size_t chunk) {
  return slurm_folder(out) / "log" / fmt::format("{}_{}.txt", job, chunk);
}

std::string slurm_script(const SlurmPlan& plan) {
  const SlurmTable& table = plan.table;
  std::string text = fmt::format(
      "#!/bin/bash\n"
      "# Written by `workbook grade --slurm`, which submits it in the folder of the results; try {} of {}.\n"
      "# {} in {}. A task of the array judges one chunk, {} at a time.\n"
      "# A submission that is judged is kept, however its task ends.\n"
      "#SBATCH --job-name=workbook-grade\n"
      "#SBATCH --array=0-{}\n"
      "#SBATCH --nodes=1\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task={}\n"
      "#SBATCH --mem={}M\n"
      "#SBATCH --output=slurm/log/%A_%a.txt\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --requeue\n",
      plan.attempt, table.tries,
      plan.submissions == 1 ? "1 submission" : fmt::format("{} submissions", plan.submissions),
      plan.chunks == 1 ? "1 chunk" : fmt::format("{} chunks of at most {}", plan.chunks, plan.chunk),
      table.workers, plan.chunks - 1, table.workers, table.workers * (plan.memory_mb + kMemoryBeside_mb));
  if (!table.partition.empty()) text += "#SBATCH --partition=" + table.partition + '\n';
  if (!table.account.empty()) text += "#SBATCH --account=" + table.account + '\n';
  for (const std::string& flag : table.flags) text += "#SBATCH " + flag + '\n';
  text += fmt::format(
      "\n"
      "out={}\n"
      "workbook={}\n"
      "cache={}\n"
      "export WORKBOOK_ROOT={}\n"
      "chunk=$out/slurm/chunks/$SLURM_ARRAY_TASK_ID\n"
      "\n"
      "for file in \"$chunk.list\" \"$workbook\" \"$cache\" \"$WORKBOOK_ROOT/puzzles\"; do\n"
      "  if ! [ -r \"$file\" ]; then\n"
      "    echo \"The node $SLURMD_NODENAME does not see $file.\"\n"
      "    exit 5\n"
      "  fi\n"
      "done\n"
      ": >\"$chunk.begun\"\n"
      "\n"
      "# Builds stay on the node; what all submissions need has been made before, and is shared.\n"
      "export WORKBOOK_STATE=${{TMPDIR:-/tmp}}/workbook-grade-$SLURM_JOB_ID\n"
      "trap 'rm -rf \"$WORKBOOK_STATE\"' EXIT\n"
      "mkdir -p -m 700 \"$WORKBOOK_STATE\" && ln -sfn \"$cache\" \"$WORKBOOK_STATE/cache\" || exit 5\n"
      "\n"
      "\"$workbook\" grade --chunk \"$chunk.list\" --course \"$out/slurm/course.toml\" --seed {} \\\n"
      "  --out \"$out\" --jobs {}{}{}\n",
      quoted(plan.out.string()), quoted(plan.program.string()), quoted(plan.cache.string()),
      quoted(plan.root.string()), plan.seed, table.workers,
      plan.measured || asks_for_gpus(table) ? " --measured" : "", plan.unconfined ? " --unconfined" : "");
  return text;
}

}  // namespace workbook::cli
