// ClassJudge's part for the reference solutions: run once, then kept beside the results.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <regex>

#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/grade/judge.h"
#include "cli/grade/judged.h"
#include "cli/report/report.h"
#include "cli/run/verdict.h"
#include "runs/fresh_case.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using runs::Json;

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

/// How much of what is accepted the furthest element takes; 1 at the limit.
double share_of_tolerance(const runs::CaseResult& result) {
  double most = 0.0;
  for (const runs::Check& check : result.checks)
    if (check.worst_accepted > 0.0) most = std::max(most, check.worst_difference / check.worst_accepted);
  return most;
}

}  // namespace

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

std::string close_case_of(const runs::RunRecord& record) {
  double seen = 0.5;
  for (const runs::CaseResult& result : record.cases)
    if (!runs::is_fresh(result.name)) seen = std::max(seen, share_of_tolerance(result));
  for (const runs::CaseResult& result : record.cases)
    if (runs::is_fresh(result.name) && share_of_tolerance(result) > seen) return result.name;
  return "";
}

void ClassJudge::run_references() {
  reference_.records.assign(course_.items.size(), {});
  reference_.left_out.assign(course_.items.size(), {});
  reference_.fresh.assign(course_.items.size(), {});
  // What the variants of one puzzle compile they share, and only one of them at a time can.
  const std::vector<const Puzzle*> puzzles = course_.puzzles();
  std::size_t done = 0;
  std::mutex saying;
  parallel(puzzles.size(), worker_count(), [&](std::size_t puzzle, std::size_t worker) {
    {
      const std::lock_guard lock(saying);
      say_progress(fmt::format("  reference solutions, {} of {} puzzles: {}", done, puzzles.size(),
                               puzzles[puzzle]->name));
    }
    for (std::size_t i = 0; i < course_.items.size(); ++i)
      if (course_.items[i].puzzle != puzzles[puzzle])
        continue;
      else if (course_.items[i].variant->program)
        run_reference_program(i, worker);
      else
        run_reference(i, worker);
    const std::lock_guard lock(saying);
    ++done;
  });
  say_progress("");
}

void ClassJudge::run_reference(std::size_t index, std::size_t worker) {
  const GradedItem& item = course_.items[index];
  const std::string text = read_file(item.puzzle->solved_file(*item.variant));
  constexpr int kMostLeftOut = 32;
  for (int i = 0; i < kMostLeftOut; ++i) {
    const RunOutcome outcome = execute(project_, request_of(index, runs::kSolution, text, worker));
    const bool correct = outcome.record.verdict == runs::Verdict::correct;
    const std::string fresh = correct ? close_case_of(outcome.record) : fresh_case_of(outcome.record);
    if (correct && fresh.empty()) {
      reference_.records[index] = lasting(outcome.record);
      return;
    }
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

}  // namespace workbook::cli
