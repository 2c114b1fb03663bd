#include "cli/grade/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "cli/base/build_config.h"
#include "cli/base/build_key.h"
#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/text.h"
#include "cli/compile/stage.h"
#include "cli/grade/host_code.h"
#include "cli/grade/judged.h"
#include "cli/grade/mistake.h"
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
  const std::string text = without_addresses(written);
  std::string out;
  for (const char c : text)
    if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20) out += c;
  if (out.size() <= kMostReport) return out;
  std::size_t end = kMostReport;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
  return out.substr(0, end) + "\n... (cut at 16 KiB)\n";
}

/// The fresh case that did not come out right; empty where it was none of these.
std::string fresh_case_of(const runs::RunRecord& record) {
  if (const auto wrong = first_wrong(record); wrong && runs::is_fresh(wrong->at->name))
    return wrong->at->name;
  for (const runs::CaseResult& result : record.cases)
    for (const runs::Score& score : result.scores)
      if (!score.within() && runs::is_fresh(result.name)) return result.name;
  for (const runs::Finding& finding : record.findings)
    if (finding.severity == runs::Severity::error && runs::is_fresh(finding.on_case)) return finding.on_case;
  static const std::regex kOnCase("on '(fresh: [^']*)'");
  if (std::smatch found; std::regex_search(record.detail, found, kOnCase)) return found[1];
  return "";
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

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  return bytes;
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

void ClassJudge::run_references() {
  reference_.records.assign(course_.items.size(), {});
  reference_.left_out.assign(course_.items.size(), {});
  reference_.fresh.assign(course_.items.size(), {});
  // What the variants of one puzzle compile they share, and only one of them at a time can.
  const std::vector<const Puzzle*> puzzles = course_.puzzles();
  parallel(puzzles.size(), worker_count(), [&](std::size_t puzzle, std::size_t worker) {
    for (std::size_t i = 0; i < course_.items.size(); ++i)
      if (course_.items[i].puzzle != puzzles[puzzle])
        continue;
      else if (course_.items[i].variant->program)
        run_reference_program(i, worker);
      else
        run_reference(i, worker);
  });
}

void ClassJudge::run_reference(std::size_t index, std::size_t worker) {
  const GradedItem& item = course_.items[index];
  const std::string text = read_file(item.puzzle->solved_file(*item.variant));
  constexpr int kMostLeftOut = 32;
  for (int i = 0; i < kMostLeftOut; ++i) {
    const RunOutcome outcome = execute(project_, request_of(index, runs::kSolution, text, worker));
    if (outcome.record.verdict == runs::Verdict::correct) {
      reference_.records[index] = lasting(outcome.record);
      return;
    }
    const std::string fresh = fresh_case_of(outcome.record);
    if (fresh.empty())
      throw HarnessError(fmt::format("The reference solution of {} is not right here: {}\n{}", item.name(),
                                     runs::word_of(outcome.record.verdict),
                                     run_report(project_, *item.puzzle, outcome, std::nullopt, {})));
    reference_.left_out[index].push_back(fresh);
  }
  throw HarnessError(
      fmt::format("The reference solution of {} takes none of the fresh shapes.", item.name()));
}

bool ClassJudge::take_kept_references() {
  const auto text = read_file_if_any(kept_);
  if (!text) return false;
  try {
    const Json json = runs::parse_json(*text);
    if (json.at("key") != base_key_) return false;
    GradedReference read;
    for (const Json& each : json.at("references")) {
      read.records.push_back(runs::run_from_json(each.at("record")));
      read.left_out.push_back(each.at("left_out").get<std::vector<std::string>>());
      FreshReference& fresh = read.fresh.emplace_back();
      each.at("output").get_to(fresh.output);
      each.at("exit_code").get_to(fresh.exit_code);
      each.at("moved_bytes").get_to(fresh.moved_bytes);
      for (const Json& array : each.at("results"))
        fresh.results.push_back(bytes_of(array.get<std::string>()));
    }
    if (read.records.size() != course_.items.size()) return false;
    reference_ = std::move(read);
    return true;
  } catch (const std::exception&) {  // damaged: made anew
    return false;
  }
}

void ClassJudge::keep_references() const {
  Json json = {{"key", base_key_}, {"references", Json::array()}};
  for (std::size_t i = 0; i < course_.items.size(); ++i) {
    const FreshReference& fresh = reference_.fresh[i];
    Json results = Json::array();
    for (const std::string& array : fresh.results) results.push_back(hexadecimal(array));
    json["references"].push_back({{"record", runs::to_json(reference_.records[i])},
                                  {"left_out", reference_.left_out[i]},
                                  {"output", fresh.output},
                                  {"exit_code", fresh.exit_code},
                                  {"moved_bytes", fresh.moved_bytes},
                                  {"results", std::move(results)}});
  }
  write_file(kept_, runs::dump(json) + '\n');
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
  return result;
}

GradedResult ClassJudge::judge_kernels(std::size_t index, const std::string& whose, const std::string& text,
                                       std::size_t worker) const {
  const GradedItem& item = course_.items[index];
  RunRequest request = request_of(index, whose, text, worker);
  if (!course_.limits.host_code) {
    const std::string skeleton = skeleton_of(read_file(item.puzzle->solved_file(*item.variant)));
    GivenCode given{{}, skeleton};
    for (const fs::path& header : item.puzzle->headers()) given.headers.push_back(header.filename());
    if (const std::string fault = refused_source(text, given); !fault.empty())
      return not_counted("host code", item.variant->file + ", " + fault);
    // What is given stands behind it.
    for (const std::string& name : own_macros(text, skeleton)) request.source.text += "\n#undef " + name;
    request.source.text += '\n';
  }
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
      result.file = file->first;
    }
    graded.results.push_back(std::move(result));
    if (judged) judged(graded);
  }
  return graded;
}

}  // namespace workbook::cli
