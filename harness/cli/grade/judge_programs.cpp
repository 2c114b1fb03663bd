// ClassJudge's part for puzzles that are programs.
#include <fmt/format.h>

#include <optional>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/grade/judge.h"
#include "cli/grade/judged.h"
#include "cli/grade/program_judge.h"
#include "cli/project/answers.h"
#include "cli/report/report.h"

namespace workbook::cli {

GradedResult not_counted(const std::string& mistake, const std::string& says) {
  GradedResult result;
  result.verdict = "not_counted";
  result.mistake = mistake;
  result.says = says;
  result.report = fitted("No points: " + says + ".\n");
  return result;
}

runs::RunRecord lasting(runs::RunRecord record) {
  record.started_at.clear();
  record.elapsed_ms = 0.0;
  for (runs::Benchmark& bench : record.benchmarks) bench.cpu_us = 0.0;
  return record;
}

void ClassJudge::run_reference_program(std::size_t index, std::size_t worker) {
  const GradedItem& item = course_.items[index];
  const auto not_right = [&](const RunOutcome& outcome, const char* where) {
    return HarnessError(fmt::format("The reference solution of {} is not right {}: {}\n{}", item.name(),
                                    where, runs::word_of(outcome.record.verdict),
                                    run_report(project_, *item.puzzle, outcome, std::nullopt, {})));
  };
  RunRequest request =
      request_of(index, runs::kSolution, read_file(item.puzzle->solved_file(*item.variant)), worker);
  request.answers = read_file_if_any(item.puzzle->solution / kAnswersFile).value_or("");
  RunOutcome outcome = execute(project_, request);
  if (outcome.record.verdict != runs::Verdict::correct) throw not_right(outcome, "here");
  reference_.records[index] = lasting(outcome.record);
  std::optional<FreshProgram> fresh = fresh_program(*item.variant, request.source.text, course_.seed);
  if (!fresh) return;
  request.variant = &fresh->variant;
  request.source.text = fresh->text;
  RunOutcome drawn = execute(project_, request);
  if (!fresh->missing.empty() || !drawn.program) throw not_right(drawn, "on fresh data");
  FreshReference& kept = reference_.fresh[index];
  kept = {drawn.record.learner_output, drawn.program->exit_code, moved_bytes(drawn.record), {}};
  if (!item.variant->program->results.empty()) kept.results = drawn.program->results;
  expect_fresh(*fresh, outcome.record.learner_output, kept.output, kept.exit_code);
  drawn = execute(project_, request);
  if (drawn.record.verdict != runs::Verdict::correct) throw not_right(drawn, "on fresh data");
}

GradedResult ClassJudge::judge_program(std::size_t index, const std::string& whose, const std::string& text,
                                       const std::string& answers, std::size_t worker) const {
  const GradedItem& item = course_.items[index];
  const ProgramToJudge program =
      program_to_judge(*item.puzzle, *item.variant, text, read_file(item.puzzle->solved_file(*item.variant)));
  if (!program.refused.empty()) return not_counted("host code", item.variant->file + ", " + program.refused);
  RunRequest request = request_of(index, whose, program.text, worker);
  request.answers = answers;
  const RunOutcome outcome = execute(project_, request);
  GradedResult result = result_of(item, outcome);
  if (program.changed_elsewhere)
    result.report += fitted(fmt::format(
        "\nOf {} what stands between the markers is graded, in the program as it was given: this one differs "
        "elsewhere, too, and that counts for nothing.\n",
        item.variant->file));
  if (result.right()) judge_afresh(index, request, result);
  if (result.right()) result.score = item.points;
  return result;
}

void ClassJudge::judge_afresh(std::size_t index, const RunRequest& seen, GradedResult& result) const {
  const GradedItem& item = course_.items[index];
  std::optional<FreshProgram> fresh = fresh_program(*item.variant, seen.source.text, course_.seed);
  if (!fresh) return;
  if (!fresh->missing.empty()) {
    result =
        not_counted("data changed", fmt::format("{} no longer holds '{}', which makes the data that grading "
                                                "draws anew: put it back as it was",
                                                item.variant->file, fresh->missing));
    return;
  }
  const FreshReference& reference = reference_.fresh[index];
  expect_fresh(*fresh, reference_.records[index].learner_output, reference.output, reference.exit_code);
  RunRequest request = seen;
  request.variant = &fresh->variant;
  request.source.text = fresh->text;
  const RunOutcome outcome = execute(project_, request);
  GradedResult again = result_of(item, outcome);
  const std::string differs =
      again.right() && outcome.program
          ? differing_results(*item.variant, outcome.program->results, reference.results)
          : "";
  if (!differs.empty()) {
    again.verdict = again.mistake = runs::word_of(runs::Verdict::wrong);
    again.says = differs;
    again.report += fitted("\n" + differs + ".\n");
  }
  if (!again.right()) {
    again.report =
        fitted("Right on the data that you see, and not on those that grading draws.\n\n") + again.report;
    result = std::move(again);
  } else if (2 * moved_bytes(outcome.record) < reference.moved_bytes) {
    result = not_counted("not counted", "its kernels read and write less than the result takes");
  }
}

}  // namespace workbook::cli
