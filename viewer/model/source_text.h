// The source of a run as lines: kernels.cu as the record holds it, other files as they lie in the repository.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::viewer {

enum class SourceOrigin {
  record,      ///< exactly what ran
  repository,  ///< read from the repository, unchanged since the run as far as its date says
  changed,     ///< read from the repository, written after the run: lines may have moved
  missing      ///< not there: no lines
};

struct SourceText {
  std::string file;  ///< as the record names it
  SourceOrigin origin = SourceOrigin::missing;
  std::vector<std::string> lines;
  std::string note;  ///< a sentence where the text may not be what ran; else empty
  /// The line without its indentation; empty past the end. From 1.
  std::string line(int number) const;
};

std::string file_name(const std::string& path);  ///< without its folder

/// `root`: the repository; may be empty. Never throws for what the disk holds.
SourceText load_source(const runs::RunRecord& run, const std::string& file,
                       const std::filesystem::path& root);

/// The files that counters, findings and accesses of the run refer to: kernels.cu first.
std::vector<std::string> source_files(const runs::RunRecord& run, const std::vector<std::string>& traced);

/// A FILL ME IN region: the lines of its two markers.
struct FillRegion {
  std::string name;
  int first_line = 0, last_line = 0;
};
/// Regions that are opened and closed; a damaged pair of markers is no region.
std::vector<FillRegion> fill_regions(const std::vector<std::string>& lines);

enum class Token { plain, keyword, type, builtin, number, text, comment, directive };
struct Lexeme {
  std::size_t begin = 0, end = 0;  ///< bytes
  Token token = Token::plain;
};
/// The words of a line for colouring; `in_comment` says whether a block comment is open, before and after.
std::vector<Lexeme> tokenize(const std::string& line, bool& in_comment);

}  // namespace workbook::viewer
