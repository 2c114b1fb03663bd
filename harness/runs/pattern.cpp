#include "pattern.h"

#include <regex>

namespace workbook::runs {

struct Pattern::Compiled {
  std::regex regex;
};

namespace {

Pattern::Match match_of(const std::smatch& found) {
  const auto begin = static_cast<std::size_t>(found.position());
  Pattern::Match match{begin, begin + static_cast<std::size_t>(found.length()), {}};
  for (const auto& group : found) match.groups.push_back(group.str());
  return match;
}

}  // namespace

Pattern::Pattern(const std::string& expression)
    : compiled_(std::make_shared<const Compiled>(Compiled{std::regex(expression)})) {}

std::optional<Pattern::Match> Pattern::match(const std::string& text) const {
  std::smatch found;
  if (!std::regex_match(text, found, compiled_->regex)) return std::nullopt;
  return match_of(found);
}

std::optional<Pattern::Match> Pattern::search(const std::string& text) const {
  std::smatch found;
  if (!std::regex_search(text, found, compiled_->regex)) return std::nullopt;
  return match_of(found);
}

std::vector<Pattern::Match> Pattern::all(const std::string& text) const {
  std::vector<Match> matches;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled_->regex), end; at != end; ++at)
    matches.push_back(match_of(*at));
  return matches;
}

std::string Pattern::replaced(const std::string& text, const std::string& with) const {
  return std::regex_replace(text, compiled_->regex, with);
}

}  // namespace workbook::runs
