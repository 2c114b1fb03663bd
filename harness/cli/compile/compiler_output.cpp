#include "cli/compile/compiler_output.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "cli/base/text.h"
#include "cli/compile/compiler_words.h"
#include "runs/pattern.h"

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
  static const runs::Pattern kGcc(R"(^([^:\s][^:]*):(\d+):(\d+): (?:fatal )?(error|warning|note): (.*)$)");
  static const runs::Pattern kNvcc(R"(^([^(\s][^(]*)\((\d+)\): (error|warning)(?: #[-\w]+)?: (.*)$)");
  Message message;
  auto match = kGcc.match(line);
  if (match) {
    message.error.column = std::atoi((*match)[3].c_str());
    message.kind = (*match)[4];
    message.error.message = (*match)[5];
  } else if ((match = kNvcc.match(line))) {
    message.kind = (*match)[3];
    message.error.message = (*match)[4];
  } else {
    return std::nullopt;
  }
  message.error.at = {(*match)[1], std::atoi((*match)[2].c_str())};
  message.text = line + '\n';
  return message;
}

using Files = std::vector<WrittenSource>;

const WrittenSource* find(const Files& files, const std::string& file) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const WrittenSource& s) { return s.file == file; });
  return found == files.end() ? nullptr : &*found;
}

bool contains(const Files& files, const std::string& file) { return find(files, file) != nullptr; }

/// A header of the simulator itself.
bool is_ours(const std::string& file) { return file.find("/workbook_sim/") != std::string::npos; }

/// Where code of the learner asked for what failed inside a header: "kernels.cu:12:5:   required from here".
std::optional<runs::SourceLine> required_from(const std::string& line, const Files& learner_files) {
  static const runs::Pattern kRequired(
      R"(^([^:\s][^:]*):(\d+):(\d+):\s+(?:recursively )?required (?:from|by).*$)");
  const auto match = kRequired.match(line);
  if (!match || !contains(learner_files, (*match)[1])) return std::nullopt;
  return runs::SourceLine{(*match)[1], std::atoi((*match)[2].c_str())};
}

bool is_noise(const std::string& line) {
  static const runs::Pattern kNoise(
      R"(^(In file included from .*|\s+from .*[,:]|.*: (In|At) .*:|.*:\s+(recursively )?required (from|by).*|compilation terminated.*|cc1plus: .*|\d+ errors? detected in .*|.*: note: '#pragma.*)$)");
  return line.size() > 2000 || kNoise.match(line);
}

std::string line_of(const std::string& text, int line) {
  const std::vector<std::string> lines = lines_of(text);
  return line > 0 && static_cast<std::size_t>(line) <= lines.size()
             ? lines[static_cast<std::size_t>(line) - 1]
             : "";
}

/// The message again, with the line that was written in place of what the compiler saw.
void show_written(Message& message, const WrittenSource& source) {
  runs::CompileError& error = message.error;
  const std::string written = line_of(source.written, error.at.line);
  if (error.column > 0)
    error.column = written_column(written, line_of(source.rewritten, error.at.line), error.column);
  const std::string column = error.column > 0 ? ":" + std::to_string(error.column) : "";
  const std::string number = std::to_string(error.at.line);
  const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  message.text = error.at.file + ":" + number + column + ": " + message.kind + ": " + error.message + '\n';
  if (written.empty()) return;
  message.text += margin + number + " | " + written + '\n';
  if (error.column > 0)
    message.text += std::string(std::max<std::size_t>(5, number.size()), ' ') + " | " +
                    std::string(static_cast<std::size_t>(error.column) - 1, ' ') + "^\n";
}

/// Messages about the simulator's own headers and about rewritten lines, as the learner should read them.
void in_learners_terms(std::vector<Message>& messages, const Files& files) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    Message message = messages[i];
    bool again = false;
    if (const std::string plain = in_plain_words(message.error.message); plain != message.error.message) {
      message.error.message = plain;
      again = true;
    }
    if (is_ours(message.error.at.file) && message.kind == "error") {  // clang says in notes who asked for it
      for (std::size_t k = i + 1; k < messages.size() && messages[k].kind == "note"; ++k)
        if (contains(files, messages[k].error.at.file)) {
          message.error.at = messages[k].error.at;
          message.error.column = messages[k].error.column;
          again = true;
          messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(k));
          break;
        }
    }
    const WrittenSource* source = find(files, message.error.at.file);
    if (source == nullptr) continue;  // a header that is nobody's here
    const int line = message.error.at.line;
    if (again || line_of(source->written, line) != line_of(source->rewritten, line))
      show_written(message, *source);
    messages[i] = std::move(message);
  }
}

bool same(const runs::CompileError& a, const runs::CompileError& b) {
  return a.at.file == b.at.file && a.at.line == b.at.line && a.column == b.column && a.message == b.message;
}

/// g++ 13 and newer say it of an operator== that was right before C++20, takes it all the same, and have no
/// option against it.
bool is_of_newer_standard(const Message& warning) {
  return warning.error.message.starts_with("C++20 says that these are ambiguous");
}

}  // namespace

CompilerOutput read_compiler_output(std::string_view output,
                                    const std::vector<WrittenSource>& learner_files) {
  std::vector<Message> messages;
  std::optional<runs::SourceLine> asked_from;
  for (const std::string& line : lines_of(output)) {
    if (auto message = message_of(line)) {
      if (asked_from && !contains(learner_files, message->error.at.file)) {
        message->text = is_ours(message->error.at.file)
                            ? asked_from->file + ":" + std::to_string(asked_from->line) + ": " +
                                  message->kind + ": " + in_plain_words(message->error.message) + '\n'
                            : asked_from->file + ":" + std::to_string(asked_from->line) +
                                  ": asks for what fails here:\n" + message->text;
        message->error.column = 0;
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
  in_learners_terms(messages, learner_files);
  CompilerOutput result;
  bool shown = false;  // notes belong to the message before them
  int notes = 0;
  for (const Message& message : messages) {
    if (message.error.message.find("WORKBOOK_SIM_") != std::string::npos)
      continue;  // how a macro of ours expands
    notes = message.kind == "note" ? notes + 1 : 0;
    if (notes > kMostNotes || (notes > 0 && message.error.at.file.starts_with('/'))) continue;
    if (message.kind == "error") {
      // A template or a macro is compiled more than once.
      const bool known = std::any_of(result.errors.begin(), result.errors.end(),
                                     [&](const auto& error) { return same(error, message.error); });
      shown = !known && result.errors.size() < kMostErrors;
      if (shown) result.errors.push_back(message.error);
    }
    if (message.kind == "warning") {
      shown = false;
      if (contains(learner_files, message.error.at.file) && !is_of_newer_standard(message))
        result.warnings += message.text;
    } else if (shown) {
      result.text += message.text;
    }
  }
  return result;
}

}  // namespace workbook::cli
