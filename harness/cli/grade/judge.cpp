#include "cli/grade/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "cli/base/build_config.h"
#include "cli/base/build_key.h"
#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/compile/stage.h"
#include "cli/grade/host_code.h"
#include "cli/grade/judged.h"
#include "cli/grade/mistake.h"
#include "cli/grade/plain_text.h"
#include "cli/grade/program_judge.h"
#include "cli/project/answers.h"
#include "cli/project/regions.h"
#include "cli/report/report.h"
#include "cli/run/execute.h"
#include "cli/run/verdict.h"
#include "runs/fresh_case.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using runs::Json;

constexpr std::size_t kMostReport = 16 << 10;

/// The host's addresses, which are others in each run, without their digits.
std::string without_addresses(const std::string& text) {
  static const std::regex kAddress("0x[0-9a-f]{9,16}");
  return std::regex_replace(text, kAddress, "0x...");
}

/// What a terminal would take for a command, and what no page can show, goes.
std::string printable(const std::string& written) {
  const std::string out = plain_text(without_addresses(written));
  if (out.size() <= kMostReport) return out;
  std::size_t end = kMostReport;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
  return out.substr(0, end) + "\n... (cut at 16 KiB)\n";
}

std::string sizes_of(const runs::RunRecord& record, const std::string& name) {
  std::string text;
  for (const runs::CaseResult& result : record.cases)
    if (result.name == name)
      for (const auto& [dimension, size] : result.sizes)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", dimension, size);
  return text;
}

/// Whether the simulator saw what must come from DRAM and go there. Else a kernel knows the timed shape and
/// leaves its work undone, or hides what it does.
bool moves_enough(const runs::RunRecord& record, const runs::RunRecord& reference) {
  const auto moved = [](const runs::RunRecord& of, const std::string& name, bool written) {
    std::int64_t bytes = 0;
    for (const runs::Benchmark& bench : of.benchmarks) {
      if (bench.name != "real") continue;
      for (const runs::TensorInfo& tensor : bench.tensors) {
        if (tensor.name != name) continue;
        for (const runs::LaunchRecord& launch : bench.launches)
          if (launch.counters)
            for (const runs::TensorTraffic& traffic : launch.counters->traffic)
              if (traffic.tensor == tensor.id) bytes += written ? traffic.bytes_written : traffic.bytes_read;
        bytes = std::min(bytes, tensor.bytes);
      }
    }
    return bytes;
  };
  for (const runs::Benchmark& bench : reference.benchmarks) {
    if (bench.name != "real") continue;
    for (const runs::TensorInfo& tensor : bench.tensors) {
      const bool out = tensor.role == runs::TensorRole::output;
      if (!out && tensor.role != runs::TensorRole::input) continue;
      const std::int64_t wanted = moved(reference, tensor.name, out), got = moved(record, tensor.name, out);
      if (2 * got < wanted) return false;
    }
  }
  return true;
}

}  // namespace

ClassJudge::ClassJudge(const Project& project, const Course& course, const Confinement* by, fs::path kept,
                       References references)
    : project_(project), course_(course), by_(by), kept_(std::move(kept)) {
  std::string texts =
      std::string(build::kVersion) + '\n' + course.text + (by == nullptr ? "unconfined\n" : "");
  for (const Puzzle* puzzle : course.puzzles()) {
    std::vector<fs::path> files = puzzle->headers();
    for (const fs::path& file : {puzzle->folder / "launches.cu", puzzle->folder / "puzzle.cpp",
                                 puzzle->fingerprints_file(), puzzle->solution / kAnswersFile})
      files.push_back(file);
    for (const VariantInfo& variant : puzzle->declaration.variants) {
      files.push_back(puzzle->solved_file(variant));
      if (variant.program)
        for (const std::string& source : variant.program->sources) files.push_back(puzzle->folder / source);
    }
    for (const fs::path& file : files)
      texts += file.filename().string() + '\n' + read_file_if_any(file).value_or("");
  }
  base_key_ = build_key(texts, compile_command(Kind::sim_diagnosing, ""), split_list(build::kSimLibraries));
  if (take_kept_references()) return;
  if (references == References::only_kept)
    throw HarnessError(fmt::format(
        "What the reference solutions took, in {}, is of another build of the workbook than this node's.",
        kept_.string()));
  run_references();
  keep_references();
}

std::string ClassJudge::key_of(const Submission& submission) const {
  std::string text = base_key_ + '\n' + submission.learner + '\n' + submission.trouble + '\n';
  const bool one = course_.puzzles().size() == 1;
  for (const GradedItem& item : course_.items)
    for (const std::string& name : {item.variant->file, std::string(kAnswersFile)})
      if (const auto* file = file_of(submission, *item.puzzle, name, one))
        text += fmt::format("{}\n{}\n{}\n", file->first, file->second.size(), file->second);
      else
        text += "missing\n";
  return runs::content_hash(text);
}

RunRequest ClassJudge::request_of(std::size_t index, const std::string& whose, const std::string& text,
                                  std::size_t worker) const {
  const GradedItem& item = course_.items[index];
  RunRequest request;
  request.puzzle = item.puzzle;
  request.variant = item.variant;
  request.backend = runs::Backend::sim;
  request.gpu = course_.gpu;
  // As if it were the learner's own file: that is how they know it.
  request.source = {whose, item.puzzle->file(*item.variant), text, fmt::format("grade-{}", worker)};
  request.source.confined_by = by_;
  request.limit = std::chrono::seconds(2 * course_.limits.run_s);
  request.seed = course_.seed;
  if (index < reference_.left_out.size()) request.left_out = reference_.left_out[index];
  request.traced = request.eager = false;
  return request;
}

std::string ClassJudge::file_handed_in(const GradedItem& item) {
  const bool asks = item.variant->program && learners_part(*item.variant) == LearnersPart::answers;
  return asks ? std::string(kAnswersFile) : item.variant->file;
}

GradedResult ClassJudge::result_of(const GradedItem& item, const RunOutcome& outcome) const {
  GradedResult result;
  result.verdict = runs::word_of(outcome.record.verdict);
  result.report = run_report(project_, *item.puzzle, outcome, std::nullopt, {});
  const Mistake mistake = mistake_of(project_, *item.puzzle, outcome.record);
  result.mistake = mistake.name;
  result.says = without_addresses(mistake.says);
  return result;
}

GradedResult ClassJudge::judge(std::size_t index, const std::string& whose, const std::string& text,
                               const std::string& answers, std::size_t worker) const {
  GradedResult result = course_.items[index].variant->program
                            ? judge_program(index, whose, text, answers, worker)
                            : judge_kernels(index, whose, text, worker);
  result.report = printable(result.report);
  result.says = plain_text(result.says);
  return result;
}

RunRequest ClassJudge::request_of_kernels(std::size_t index, const std::string& whose,
                                          const std::string& text, std::size_t worker,
                                          std::string& fault) const {
  const GradedItem& item = course_.items[index];
  RunRequest request = request_of(index, whose, text, worker);
  fault.clear();
  if (course_.limits.host_code) return request;
  const std::string skeleton = skeleton_of(read_file(item.puzzle->solved_file(*item.variant)));
  GivenCode given{{}, skeleton};
  for (const fs::path& header : item.puzzle->headers()) given.headers.push_back(header.filename());
  fault = refused_source(text, given);
  // What is given stands behind it.
  for (const std::string& name : own_macros(text, skeleton)) request.source.text += "\n#undef " + name;
  request.source.text += '\n';
  return request;
}

GradedResult ClassJudge::judge_kernels(std::size_t index, const std::string& whose, const std::string& text,
                                       std::size_t worker) const {
  const GradedItem& item = course_.items[index];
  std::string fault;
  const RunRequest request = request_of_kernels(index, whose, text, worker, fault);
  if (!fault.empty()) return not_counted("host code", item.variant->file + ", " + fault);
  RunOutcome outcome = execute(project_, request);
  outcome.record = lasting(std::move(outcome.record));
  const runs::RunRecord& record = outcome.record;
  GradedResult result = result_of(item, outcome);
  if (const std::string fresh = fresh_case_of(record); !fresh.empty() && !result.right()) {
    const std::string sizes = sizes_of(record, fresh);
    result.report =
        fitted(fmt::format("Right on every shape that you see, and not on one that grading adds ({}).\n\n",
                           sizes.empty() ? fresh : sizes)) +
        result.report;
  }
  const bool timed = record.untimed.empty();
  if (result.right() && timed && !moves_enough(record, reference_.records[index])) {
    result.verdict = "not_counted";
    result.mistake = "not counted";
    result.says = "at the real shape fewer reads and writes are seen than the result takes";
    result.report += fitted("\nNo points: " + result.says + ".\n");
  }
  if (result.right()) {
    result.score = item.points;
    result.time_us = measured(record, Measure::time);
    result.bytes = measured(record, Measure::bytes);
  }
  if (result.right() && item.ratio) {
    const std::string& name = measure_names()[static_cast<std::size_t>(item.ratio->of)];
    const double spent = measured(record, item.ratio->of),
                 allowed = measured(reference_.records[index], item.ratio->of);
    const double points = timed ? ratio_points(*item.ratio, spent, allowed) : 0.0;
    result.score += points;
    result.ratio = timed ? fmt::format("{}: {:.2f} times the reference solution's, {} of {} points", name,
                                       allowed > 0.0 ? spent / allowed : 1.0, points_text(points),
                                       points_text(item.ratio->points))
                         : name + ": no points, for it was not timed at the real shape";
    result.report += fitted("\nBy " + result.ratio + ".\n");
  }
  return result;
}

GradedSubmission ClassJudge::judge(const Submission& submission, std::size_t worker,
                                   const std::function<void(const GradedSubmission&)>& judged) const {
  GradedSubmission graded{submission.learner, key_of(submission), submission.trouble, {}};
  const bool one = course_.puzzles().size() == 1;
  for (std::size_t i = 0; i < course_.items.size(); ++i) {
    const GradedItem& item = course_.items[i];
    const std::string name = file_handed_in(item);
    const auto* file = file_of(submission, *item.puzzle, name, one);
    const auto* answers = file_of(submission, *item.puzzle, kAnswersFile, one);
    GradedResult result;
    if (file == nullptr) {
      result.verdict = result.mistake = "missing";
      result.says = submission.trouble.empty() ? "nothing was handed in" : "the submission cannot be read";
      result.report =
          submission.trouble.empty()
              ? fitted(fmt::format("There is no {} of puzzle {}: hand it in in a folder called {}.\n", name,
                                   item.puzzle->number, item.puzzle->name))
              : fitted("The submission cannot be read: " + submission.trouble + ".\n");
    } else {
      try {
        const std::string answered = answers ? answers->second : "";
        result = judged_.of(
            fmt::format("{} {} {}", i, runs::content_hash(file->second), runs::content_hash(answered)),
            [&] { return judge(i, runs::kLearner, file->second, answered, worker); });
      } catch (const Failure& failure) {
        result.verdict = runs::word_of(runs::Verdict::harness_error);
        result.mistake = "not judged";
        result.says = failure.what();
        result.report = fitted(std::string("The workbook could not judge it: ") + failure.what() + '\n');
      }
      result.file = plain_text(file->first);
    }
    graded.results.push_back(std::move(result));
    if (judged) judged(graded);
  }
  return graded;
}

}  // namespace workbook::cli
