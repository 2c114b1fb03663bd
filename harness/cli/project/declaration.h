// Reads a puzzle's declaration out of puzzle.cu by its designated initialisers, so that lists and the choice
// of a variant need no compiler. Metadata is written there and nowhere else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

struct VariantInfo {
  std::string name, title, summary;
  std::vector<std::string> regions;
  bool required = true;
};

struct Declaration {
  int number = 0;
  std::string title, part, summary;
  std::vector<VariantInfo> variants;
};

/// Throws std::runtime_error with a sentence when there is no declaration or a part is missing.
Declaration read_declaration(std::string_view source);

}  // namespace workbook::cli
