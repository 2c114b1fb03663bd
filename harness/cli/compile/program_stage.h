// Copies of a program's own files, made ready for the simulator, in the shape of the folders they lie in: so
// that "../common/x.cuh" still leads to the copy. Each copy says by #line where it comes from.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

struct ProgramFile {
  std::string shown;               ///< as the user would type it
  std::filesystem::path original;  ///< absolute
  std::filesystem::path staged;    ///< absolute
  std::string text;                ///< of the original
  std::string rewritten;
};

struct StagedProgram {
  std::vector<ProgramFile> files;          ///< the sources first, in the order they were named
  std::size_t sources = 0;                 ///< how many of them
  std::vector<std::string> search;         ///< -I, -iquote and -include options for the compiler
  std::vector<runs::CompileError> errors;  ///< what the simulator has to refuse, at the user's lines

  void write() const;  ///< puts the copies in place of whatever lay there
  /// The path as the user would type it, for one that debug information gives; others are returned as they
  /// are.
  std::string shown(const std::string& path) const;

  std::filesystem::path tree;  ///< the folder that holds the copies
};

/// What a text includes, or asks for with __has_include: the name and whether it stands in quotes.
std::vector<std::pair<std::string, bool>> includes_of(const std::string& text);

/// Reads `sources` and every file that they, and the `headers` that are read before each of them, include
/// from their own folders and from `include_folders`. Throws UsageError when a source or a header cannot be
/// read.
StagedProgram stage_program(const std::vector<std::string>& sources,
                            const std::vector<std::string>& include_folders,
                            const std::filesystem::path& tree, const std::vector<std::string>& headers = {});

}  // namespace workbook::cli
