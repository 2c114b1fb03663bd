#include "cli/compiler_output.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>

#include "cli/text.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostErrors = 5;  // the first is what counts; the rest mostly follow from it
constexpr int kMostNotes = 2;           // an overload that does not fit has a note for each candidate

struct Message {
  runs::CompileError error;
  std::string kind;  ///< "error", "warning", "note"
  std::string text;  ///< its lines
};

/// `file:line:column: error: words` of g++ or `file(line): error: words` of nvcc.
std::optional<Message> message_of(const std::string& line) {
  static const std::regex kGcc(R"(^([^:\s][^:]*):(\d+):(\d+): (?:fatal )?(error|warning|note): (.*)$)");
  static const std::regex kNvcc(R"(^([^(\s][^(]*)\((\d+)\): (error|warning)(?: #[-\w]+)?: (.*)$)");
  std::smatch match;
  Message message;
  if (std::regex_match(line, match, kGcc)) {
    message.error.column = std::atoi(match[3].str().c_str());
    message.kind = match[4];
    message.error.message = match[5];
  } else if (std::regex_match(line, match, kNvcc)) {
    message.kind = match[3];
    message.error.message = match[4];
  } else {
    return std::nullopt;
  }
  message.error.at = {match[1], std::atoi(match[2].str().c_str())};
  message.text = line + '\n';
  return message;
}

using Files = std::vector<std::string>;

bool contains(const Files& files, const std::string& file) {
  return std::find(files.begin(), files.end(), file) != files.end();
}

/// Where code of the learner asked for what failed inside a header: "kernels.cu:12:5:   required from here".
std::optional<runs::SourceLine> required_from(const std::string& line, const Files& learner_files) {
  static const std::regex kRequired(
      R"(^([^:\s][^:]*):(\d+):(\d+):\s+(?:recursively )?required (?:from|by).*$)");
  std::smatch match;
  if (!std::regex_match(line, match, kRequired) || !contains(learner_files, match[1])) return std::nullopt;
  return runs::SourceLine{match[1], std::atoi(match[2].str().c_str())};
}

bool is_noise(const std::string& line) {
  static const std::regex kNoise(
      R"(^(In file included from .*|\s+from .*[,:]|.*: (In|At) .*:|.*:\s+(recursively )?required (from|by).*|compilation terminated.*|cc1plus: .*|\d+ errors? detected in .*|.*: note: '#pragma.*)$)");
  return line.size() > 2000 || std::regex_match(line, kNoise);
}

}  // namespace

CompilerOutput read_compiler_output(std::string_view output, const std::vector<std::string>& learner_files) {
  std::vector<Message> messages;
  std::optional<runs::SourceLine> asked_from;
  for (const std::string& line : lines_of(output)) {
    if (auto message = message_of(line)) {
      if (asked_from && !contains(learner_files, message->error.at.file)) {
        message->text = asked_from->file + ":" + std::to_string(asked_from->line) +
                        ": asks for what fails here:\n" + message->text;
        message->error.at = *asked_from;
      }
      asked_from.reset();
      messages.push_back(*std::move(message));
    } else if (const auto from = required_from(line, learner_files)) {
      asked_from = from;
    } else if (!messages.empty() && !is_noise(line)) {
      messages.back().text += line + '\n';
    }
  }
  CompilerOutput result;
  bool shown = false;  // notes belong to the message before them
  int notes = 0;
  for (const Message& message : messages) {
    notes = message.kind == "note" ? notes + 1 : 0;
    if (notes > kMostNotes || (notes > 0 && message.error.at.file.starts_with('/'))) continue;
    if (message.kind == "error") {
      shown = result.errors.size() < kMostErrors;
      if (shown) result.errors.push_back(message.error);
    }
    if (message.kind == "warning") {
      shown = false;
      if (contains(learner_files, message.error.at.file)) result.warnings += message.text;
    } else if (shown) {
      result.text += message.text;
    }
  }
  return result;
}

}  // namespace workbook::cli
