#include "cli/grade/slurm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/interrupt.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/grade/slurm_jobs.h"
#include "cli/grade/slurm_progress.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kLook = std::chrono::seconds(3);  // between two questions to the cluster
constexpr std::size_t kMostNamed = 10, kMostLines = 6;
constexpr int kMostSilent = 200;  // questions in a row without an answer: ten minutes and more

std::string submissions(std::size_t count) {
  return count_text(static_cast<std::int64_t>(count), "submission");
}

/// "1 submission has", "3 submissions have".
std::string submissions_have(std::size_t count) {
  return submissions(count) + (count == 1 ? " has" : " have");
}

/// "ada, bob and 3 more".
std::string names_of(const std::vector<SubmissionPlace>& places) {
  std::vector<std::string> names;
  for (const SubmissionPlace& place : places)
    if (names.size() < kMostNamed) names.push_back(place.learner);
  std::string text = joined(names, ", ");
  if (places.size() > kMostNamed) text += fmt::format(" and {} more", places.size() - kMostNamed);
  return text;
}

class SlurmGrading {
 public:
  SlurmGrading(const ClassJudge& judge, const std::vector<SubmissionPlace>& places,
               const SlurmRequest& request)
      : places_(places), request_(request), progress_(places.size()) {
    for (const SubmissionPlace& place : places) {
      keys_.push_back(judge.key_of(read_submission(place)));
      missing_.push_back(keys_.size() - 1);
    }
    collect();
    at_first_ = missing_.size();
  }

  std::size_t judge() {
    const FileLock alone(slurm_folder(request_.out) / "lock");
    const StopOnInterrupt stop;
    for (int attempt = left_behind() ? 0 : 1; !missing_.empty(); ++attempt) {
      if (attempt > request_.plan.table.tries) give_up();
      if (attempt > 0) submit(attempt);
      const std::map<std::size_t, SlurmTask> ended = watch();
      if (missing_.empty()) break;
      look_into(ended, attempt);
    }
    std::error_code none;
    fs::remove(job_file(), none);
    return at_first_ - missing_.size();
  }

 private:
  fs::path job_file() const { return slurm_folder(request_.out) / "job"; }

  /// Whether there is a job of an earlier call that works on this class still.
  bool left_behind() {
    const auto text = read_file_if_any(job_file());
    if (!text || missing_.empty()) return false;
    const std::vector<std::string> lines = lines_of(*text);
    if (lines.size() != 2) return false;
    const SlurmQueue queue = look_at_job(lines[0]);
    if (!queue.trouble.empty()) throw HarnessError("The cluster does not answer: " + queue.trouble);
    if (std::all_of(queue.tasks.begin(), queue.tasks.end(),
                    [](const SlurmTask& task) { return task.ended(); }))
      return false;
    if (lines[1] != std::to_string(request_.plan.seed) ||
        read_file_if_any(slurm_course(request_.out)) != request_.course)
      throw UsageError(fmt::format(
          "Job {} still works for {}, with another course file or seed. End it (`scancel {}`), or choose another "
          "--out.",
          lines[0], request_.out.string(), lines[0]));
    job_ = lines[0];
    for (const SlurmTask& task : queue.tasks) chunks_ = std::max(chunks_, task.index + 1);
    print_error(fitted(fmt::format("Job {} still works on this class: waiting for it.\n", job_)));
    return true;
  }

  void submit(int attempt) {
    SlurmPlan plan = request_.plan;
    plan.attempt = attempt;
    plan.submissions = missing_.size();
    plan.chunk = chunk_size(plan.table, attempt, plan.submissions);
    plan.chunks = chunks_ = (plan.submissions + plan.chunk - 1) / plan.chunk;
    std::error_code none;
    fs::remove_all(slurm_list(request_.out, 0).parent_path(), none);  // of the job before, which is over
    fs::create_directories(slurm_log(request_.out, "", 0).parent_path());
    write_file(slurm_course(request_.out), request_.course);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
      write_list(slurm_list(request_.out, chunk), of_chunk(chunk, plan.chunk));
    const fs::path script = slurm_folder(request_.out) / "grade.sbatch";
    write_file(script, slurm_script(plan));
    job_ = submit_job(script, request_.out);
    write_file(job_file(), fmt::format("{}\n{}\n", job_, plan.seed));
    print_error(fitted(fmt::format("Job {}: {} in {}.\n", job_, submissions(plan.submissions),
                                   count_text(static_cast<std::int64_t>(chunks_), "chunk"))));
  }

  std::vector<SubmissionPlace> of_chunk(std::size_t chunk, std::size_t size) const {
    std::vector<SubmissionPlace> places;
    for (std::size_t i = chunk * size; i < std::min(missing_.size(), (chunk + 1) * size); ++i)
      places.push_back(places_[missing_[i]]);
    return places;
  }

  /// Takes what has a result out of what is missing.
  void collect() {
    // Shared file systems remember what was not there, until the folder is read anew.
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(request_.out / "results", none)) (void)entry;
    std::erase_if(missing_, [&](std::size_t i) {
      const fs::path folder = request_.out / "results" / folder_name(places_[i].learner);
      return read_graded(folder / "graded.json", keys_[i]).has_value();
    });
  }

  /// Until every task has ended, or everything has a result. The tasks as they were seen last.
  std::map<std::size_t, SlurmTask> watch() {
    std::map<std::size_t, SlurmTask> seen;
    for (int silent = 0; silent < kMostSilent;) {
      const SlurmQueue queue = look_at_job(job_);
      leave_if_interrupted();
      silent = queue.trouble.empty() ? 0 : silent + 1;
      bool at_work = !queue.trouble.empty();
      for (const SlurmTask& task : queue.tasks) {
        seen[task.index] = task;
        at_work = at_work || (!task.ended() && !task.held());
      }
      collect();  // after the tasks were looked at: what one that has ended wrote is there
      progress_.show(places_.size() - missing_.size(), job_, queue);
      if (missing_.empty() || !at_work) return seen;
      for (auto left = kLook; left.count() > 0 && !interrupted; left -= std::chrono::seconds(1)) sleep(1);
      leave_if_interrupted();
    }
    throw HarnessError(
        fmt::format("The cluster has not answered for long. Job {} goes on if it can: the same command takes "
                    "up what it does.",
                    job_));
  }

  void leave_if_interrupted() const {
    if (!interrupted) return;
    say_progress("");
    print_error(fitted(fmt::format(
        "\nJob {} goes on without this command; the same command waits for it again and takes up what it did.\n"
        "`scancel {}` ends it: what is judged by then is kept.\n",
        job_, job_)));
    end_if_interrupted();
  }

  /// Says what became of a job that has left submissions over; throws where another would do no better.
  void look_into(const std::map<std::size_t, SlurmTask>& ended, int attempt) {
    say_progress("");
    bool any_begun = false, said = false;
    std::size_t undone = 0, cancelled = 0, held = 0;
    std::vector<std::string> nodes;
    std::string words;
    for (const auto& [index, task] : ended) {
      any_begun = any_begun || fs::exists(slurm_begun(request_.out, index));
      if (!task.node.empty() && std::find(nodes.begin(), nodes.end(), task.node) == nodes.end())
        nodes.push_back(task.node);
      if (task.state == "COMPLETED") continue;
      ++undone;
      cancelled += task.state == "CANCELLED";
      held += task.held();
      const std::string last = last_words(index);
      said = said || !last.empty();
      words += fmt::format("Task {} of job {} ended as {}{}{}\n", index, job_, task.state,
                           task.node.empty() ? "" : " on " + task.node, last.empty() ? "." : ": " + last);
    }
    if (held > 0) cancel_job(job_);
    if (!words.empty()) print_error(fitted(words));
    if (!any_begun && !nodes.empty())
      throw HarnessError(
          said
              ? fmt::format("Job {} could not begin on {}: the lines above say why.", job_,
                            joined(nodes, ", "))
              : fmt::format(
                    "Job {} ran on {} and left nothing in {}: the nodes do not see that folder. It has to lie where every "
                    "node has it, under the same name, and so have the submissions and the workbook.",
                    job_, joined(nodes, ", "), request_.out.string()));
    // By somebody who wants it to end, and not by what ends single tasks.
    if (cancelled > 0 && cancelled == undone && (undone > 1 || chunks_ == 1))
      throw HarnessError(fmt::format("Job {} was cancelled. {} no result yet; the same command goes on.",
                                     job_, submissions_have(missing_.size())));
    if (attempt < request_.plan.table.tries)
      print_error(
          fitted(fmt::format("{} no result yet: taken up again.\n", submissions_have(missing_.size()))));
  }

  /// What a task's log ends with, as one line.
  std::string last_words(std::size_t index) const {
    const auto log = read_file_if_any(slurm_log(request_.out, job_, index));
    if (!log) return "";
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(*log)) lines.emplace_back(trimmed(line));
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(std::min(lines.size(), kMostLines)));
    return std::string(trimmed(joined(lines, " ")));
  }

  [[noreturn]] void give_up() const {
    std::vector<SubmissionPlace> places;
    for (const std::size_t i : missing_) places.push_back(places_[i]);
    throw HarnessError(fmt::format(
        "After {} {} no result: {}. What their tasks said is in {}; the others' results are kept. The same command tries again, "
        "and without --slurm this machine does.",
        count_text(request_.plan.table.tries, "job"), submissions_have(places.size()), names_of(places),
        slurm_log(request_.out, "", 0).parent_path().string()));
  }

  const std::vector<SubmissionPlace>& places_;
  const SlurmRequest& request_;
  SlurmProgress progress_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> missing_;  ///< indices of places without a result
  std::size_t at_first_ = 0, chunks_ = 0;
  std::string job_;
};

}  // namespace

std::string first_slurm_script(SlurmPlan plan, std::size_t submissions) {
  plan.submissions = submissions;
  plan.chunk = chunk_size(plan.table, 1, submissions);
  plan.chunks = (submissions + plan.chunk - 1) / plan.chunk;
  return slurm_script(plan);
}

std::size_t judge_by_slurm(const ClassJudge& judge, const std::vector<SubmissionPlace>& places,
                           const SlurmRequest& request) {
  return SlurmGrading(judge, places, request).judge();
}

void write_list(const fs::path& file, const std::vector<SubmissionPlace>& places) {
  std::string text;
  for (const SubmissionPlace& place : places) text += place.path.string() + '\0';
  write_file(file, text);
}

std::vector<SubmissionPlace> read_list(const fs::path& file) {
  std::vector<SubmissionPlace> places;
  const std::string text = read_file(file);
  for (std::size_t from = 0, to; from < text.size(); from = to + 1) {
    to = std::min(text.find('\0', from), text.size());
    places.push_back(place_of(text.substr(from, to - from)));
    if (std::error_code none; !fs::exists(places.back().path, none))
      throw HarnessError("The submission " + places.back().path.string() + " is not there, on this machine.");
  }
  return places;
}

}  // namespace workbook::cli
