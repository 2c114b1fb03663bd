// The puzzles as `workbook list --json` tells of them, and what the Puzzles panel says about a job.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::viewer {

struct VariantEntry {
  std::string name, title, summary;
  std::string state;  ///< "to do", or the verdict of the learner's newest run: "not_filled"
  bool required = true;
  bool done = false;
  bool changed = false;  ///< what it is made of is no longer what that run judged
  std::int64_t run = 0;  ///< 0: none yet
};

struct PuzzleEntry {
  int number = 0;
  std::string name, title, part, summary;
  std::string kernels;  ///< the file to edit, relative to the repository
  bool done = false, current = false;
  std::vector<VariantEntry> variants;
};

/// Throws std::runtime_error with a sentence when the text is no such list.
std::vector<PuzzleEntry> parse_puzzles(std::string_view json);

/// How a variant stands, in words: "correct", "wrong, changed since", "to do (optional)".
std::string state_words(const VariantEntry& variant);

/// The variant to go on with: the first required one that is not done, else the first.
const VariantEntry* next_variant(const PuzzleEntry& puzzle);

enum class Job { run, hint, book };

/// How a job ended, in words: "Correct", "Does not compile", "Cancelled". `code` is -1 when `signal` ended
/// it.
std::string outcome_words(Job job, int code, int signal, bool cancelled);

/// What opens a file in the user's editor.
struct EditorChoice {
  std::vector<std::string> command;  ///< empty: nothing does, and `words` say why
  std::string words;
};
/// `variable` reads the environment, `has` says whether a program is on PATH. $VISUAL comes before $EDITOR
/// and xdg-open; an editor that lives in a terminal is given one.
EditorChoice choose_editor(const std::string& file, const std::function<std::string(const char*)>& variable,
                           const std::function<bool(const std::string&)>& has);

}  // namespace workbook::viewer
