// answers.txt of a puzzle that asks questions: "name: answer", a line each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/project/declaration.h"

namespace workbook::cli {

inline constexpr const char* kAnswersFile = "answers.txt";

/// The file before anything is answered; empty where the puzzle asks nothing.
std::string blank_answers(const Declaration& declaration);

/// The questions of `program` whose answer in `text` is missing or not right, by name. Case and blanks around
/// an answer do not count.
std::vector<std::string> wrong_answers(const ProgramInfo& program, std::string_view text);

/// Questions without any answer.
std::vector<std::string> open_questions(const ProgramInfo& program, std::string_view text);

}  // namespace workbook::cli
