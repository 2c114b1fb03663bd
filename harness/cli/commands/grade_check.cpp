// `grade --check`: a course file, tried before the course begins.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/grading.h"
#include "cli/grade/judge.h"
#include "cli/project/answers.h"
#include "cli/project/beginning.h"
#include "cli/project/mutant.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

/// Three mutants of the item's variant, spread over those that there are.
std::vector<std::pair<std::string, std::string>> three_mutants(const Project& project,
                                                               const GradedItem& item) {
  std::vector<std::pair<std::string, std::string>> own;
  for (const WrittenMutant& written : mutants_of(project, *item.puzzle)) {
    const Mutant mutant = read_mutant(project, *item.puzzle, written);
    if (mutant.variant == item.variant->name && written.name != item.variant->begins)  // that is the skeleton
      own.emplace_back(written.name, mutant.kernels);
  }
  if (own.size() <= 3) return own;
  return {own.front(), own[own.size() / 2], own.back()};
}

/// The answers with one of them changed, three times.
std::vector<std::pair<std::string, std::string>> three_wrong_answers(const GradedItem& item,
                                                                     const std::string& answers) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto& asked = item.variant->program->answers;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, asked.size()); ++i) {
    const std::string& question = asked[i * (asked.size() - 1) / 2].first;
    std::string text;
    for (const std::string& line : lines_of(answers))
      text += (line.starts_with(question + ':') ? question + ": none of these" : line) + '\n';
    all.emplace_back("'" + question + "' answered wrong", text);
  }
  return all;
}

struct CheckedSubmission {
  std::size_t item;
  std::string name, text, answers;
  bool perfect = false;
  GradedResult result = {};

  /// Whether it got what it must not, or not what it should.
  bool is_odd(const Course& course) const {
    return perfect ? result.score + 1e-9 < course.items[item].most() : result.score > 0.0;
  }
};

int print_checked(const Course& course, const std::vector<CheckedSubmission>& all) {
  runs::Json list = runs::Json::array();
  bool odd = false;
  for (const CheckedSubmission& each : all) {
    const GradedItem& item = course.items[each.item];
    odd = odd || each.is_odd(course);
    list.push_back({{"puzzle", item.puzzle->number},
                    {"variant", item.variant->name},
                    {"handed_in", each.name},
                    {"verdict", each.result.verdict},
                    {"score", each.result.score},
                    {"most", item.most()},
                    {"ok", !each.is_odd(course)}});
  }
  print(runs::dump(list, 1) + '\n');
  return odd ? kWrong : kCorrect;
}

}  // namespace

int check_course(const Project& project, const GradeOptions& options) {
  const std::string file =
      options.course.empty() && options.paths.size() == 1 ? options.paths.front() : options.course;
  if (file.empty()) throw UsageError("--check wants a course file: workbook grade --check course.toml.");
  const Course course = read_course(project, file, options.seed);
  if (!options.json) show(course.words() + '\n');
  project.prepare_state();
  const FileLock one_at_a_time(project.state() / "grade" / "lock");
  const std::unique_ptr<Sandbox> sandbox = sandbox_of(project, course, options);
  const ClassJudge judge(project, course, sandbox.get(), project.state() / "grade" / "check-reference.json");
  std::vector<CheckedSubmission> all;
  for (std::size_t i = 0; i < course.items.size(); ++i) {
    const GradedItem& item = course.items[i];
    const std::string solution = read_file(item.puzzle->solved_file(*item.variant)),
                      answers = read_file_if_any(item.puzzle->solution / kAnswersFile).value_or("");
    all.push_back({i, "the solution", solution, answers, true});
    all.push_back({i, "the skeleton", beginning_of(project, *item.puzzle, item.variant->file), ""});
    if (ClassJudge::file_handed_in(item) == kAnswersFile)
      for (auto& [name, wrong] : three_wrong_answers(item, answers))
        all.push_back({i, name, solution, wrong});
    for (auto& [name, text] : three_mutants(project, item))
      all.push_back({i, name, std::move(text), answers});
  }
  GradeProgress progress(all.size());
  parallel(all.size(), jobs_of(options), [&](std::size_t i, std::size_t worker) {
    progress.begun(all[i].name);
    all[i].result = judge.judge(all[i].item, runs::kLearner, all[i].text, all[i].answers, worker);
    progress.ended();
  });
  say_progress("");
  if (options.json) return print_checked(course, all);
  Table table({"what", "handed in", "verdict", "points", ""});
  for (const std::size_t column : {1, 2, 3, 4}) table.left(column);
  bool odd = false;
  for (const CheckedSubmission& each : all) {
    odd = odd || each.is_odd(course);
    const GradedItem& item = course.items[each.item];
    table.row({fmt::format("{:02} --{}", item.puzzle->number, item.variant->name), each.name,
               replaced(each.result.verdict, "_", " "),
               fmt::format("{} of {}", points_text(each.result.score), points_text(item.most())),
               each.is_odd(course) ? "LOOK" : ""});
  }
  print(table.text(""));
  for (std::size_t i = 0; i < course.items.size(); ++i)
    if (const auto& left_out = judge.reference().left_out[i]; !left_out.empty())
      show(fmt::format(
          "{}: with this seed the solution itself does not take these fresh shapes, or just so, and they are left out: {}.\n",
          course.items[i].name(), joined(left_out, ", ")));
  show(odd ? "\nNot every one got what it should: look at the rows that say so.\n"
           : "\nThe solutions get every point, the others none.\n");
  return odd ? kWrong : kCorrect;
}

}  // namespace workbook::cli
