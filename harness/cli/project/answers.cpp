#include "cli/project/answers.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

std::string plain(std::string_view text) {
  std::string out(trimmed(text));
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string answer_to(const std::string& question, std::string_view text) {
  for (const std::string& line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && plain(line.substr(0, colon)) == plain(question))
      return plain(line.substr(colon + 1));
  }
  return "";
}

bool is_right(std::string_view answers, const std::string& given) {
  for (;;) {
    const std::size_t end = std::min(answers.find('|'), answers.size());
    if (plain(answers.substr(0, end)) == given) return true;
    if (end == answers.size()) return false;
    answers.remove_prefix(end + 1);
  }
}

}  // namespace

std::string blank_answers(const Declaration& declaration) {
  std::string text;
  std::set<std::string> seen;
  for (const VariantInfo& variant : declaration.variants)
    if (variant.program)
      for (const auto& [question, answer] : variant.program->answers)
        if (seen.insert(question).second) text += question + ": \n";
  return text;
}

std::vector<std::string> wrong_answers(const ProgramInfo& program, std::string_view text) {
  std::vector<std::string> wrong;
  for (const auto& [question, answers] : program.answers)
    if (!is_right(answers, answer_to(question, text))) wrong.push_back(question);
  return wrong;
}

std::vector<std::string> open_questions(const ProgramInfo& program, std::string_view text) {
  std::vector<std::string> open;
  for (const auto& [question, answers] : program.answers)
    if (answer_to(question, text).empty()) open.push_back(question);
  return open;
}

}  // namespace workbook::cli
