// What a puzzle declares, as lists and the choice of a variant need it: read from the JSON that its compiled
// declaration prints (harness/core/declaration.h). Metadata is written in puzzle.cpp and nowhere else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

/// A regular expression over the words of a program's calls (workbook::Calls) that must be found, or must
/// not.
struct CallRule {
  std::string pattern;
  bool wanted = true;
  std::string says;
};

/// A property of the listing, or of the source where none can be made (workbook::Listed).
struct ListingRule {
  std::string fact, value, source;
  bool wanted = true;
  std::string says;
};

/// Data of a program that are drawn anew where it is graded (workbook::Fresh).
struct FreshData {
  std::string find, put;
  int least = 0, most = 0;
};

/// A variant that is a program of its own, and what is asked of it (workbook::Program).
struct ProgramInfo {
  std::vector<std::string> sources;  ///< of the puzzle's folder, beside the learner's file
  std::vector<std::string> arguments, prints, findings;
  int status = 0;
  std::vector<CallRule> calls;
  std::vector<std::pair<std::string, std::string>> answers;
  std::vector<ListingRule> listing;
  std::vector<FreshData> fresh;
  std::vector<std::string> fresh_arguments;
  std::string results;  ///< "f32", "i32" or empty
};

struct VariantInfo {
  std::string name, title, summary, task;
  std::string file = "kernels.cu";  ///< of the puzzle's folder: where its regions stand
  std::vector<std::string> regions;
  std::string begins;  ///< the mutant as which the file begins; empty: the solution without its regions
  bool given = false;  ///< whole in the puzzle's own files: nothing is to be written
  bool required = true;
  std::optional<ProgramInfo> program;
};

/// Whether the two compute the same, so that their times can stand side by side.
inline bool comparable(const VariantInfo& a, const VariantInfo& b) {
  return !a.program && !b.program && a.task == b.task;
}

struct TaskInfo {
  std::string name;
  runs::Sizes teaching, bench;
};

struct Declaration {
  int number = 0;
  std::string title, part, summary;
  std::vector<int> builds_on;  ///< numbers of puzzles
  std::string tensor_program;  ///< of `workbook optimize`, that computes the same; empty: none
  std::vector<TaskInfo> tasks;
  std::vector<VariantInfo> variants;
  std::vector<std::string> faults;  ///< sentences: what contradicts itself
};

/// Throws std::runtime_error with a sentence when the text is not a declaration.
Declaration read_declaration(std::string_view json);

}  // namespace workbook::cli
