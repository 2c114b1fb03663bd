// Regular expressions (std::regex's own, ECMAScript's), which take a compiler seconds: only pattern.cpp reads
// <regex>.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace workbook::runs {

class Pattern {
 public:
  struct Match {
    std::size_t begin, end;           ///< in the text
    std::vector<std::string> groups;  ///< first the whole; "": a group that takes no part

    const std::string& operator[](std::size_t group) const { return groups[group]; }
  };

  /// Throws std::regex_error, a std::runtime_error, where it is none.
  explicit Pattern(const std::string& expression);

  /// Of the whole text.
  std::optional<Match> match(const std::string& text) const;
  /// The first place in it.
  std::optional<Match> search(const std::string& text) const;
  std::vector<Match> all(const std::string& text) const;
  /// Each place replaced; `with` may name groups as $1.
  std::string replaced(const std::string& text, const std::string& with) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace workbook::runs
