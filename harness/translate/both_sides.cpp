#include "both_sides.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "device_code.h"

namespace workbook::sim {
namespace {

constexpr long kArch = 900;

/// A condition of the preprocessor about __CUDA_ARCH__ and numbers alone, for one value of that.
class Condition {
 public:
  /// `arch` empty: not defined.
  static std::optional<bool> of(std::string_view text, std::optional<long> arch) {
    const Tokens t(text);
    Condition condition(t, arch);
    const long value = condition.either();
    if (!condition.known_ || condition.at_ != t.size()) return std::nullopt;
    return value != 0;
  }

 private:
  Condition(const Tokens& t, std::optional<long> arch) : t_(t), arch_(arch) {}

  bool take(std::string_view marks) {
    if (!t_.starts(at_, marks)) return false;
    at_ += marks.size();
    return true;
  }
  long either() {
    long value = both();
    while (take("||")) value = (both() != 0) | (value != 0);
    return value;
  }
  long both() {
    long value = comparison();
    while (take("&&")) value = (comparison() != 0) & (value != 0);
    return value;
  }
  long comparison() {
    const long left = single();
    if (take("==")) return left == single();
    if (take("!=")) return left != single();
    if (take("<=")) return left <= single();
    if (take(">=")) return left >= single();
    if (take("<")) return left < single();
    if (take(">")) return left > single();
    return left;
  }
  long single() {
    if (take("!")) return single() == 0;
    if (take("(")) {
      const long value = either();
      known_ &= take(")");
      return value;
    }
    if (t_.is(at_, "defined")) {
      const bool brackets = t_.is(++at_, "(");
      if (brackets) ++at_;
      known_ &= t_.is(at_++, "__CUDA_ARCH__");
      if (brackets) known_ &= take(")");
      return arch_.has_value();
    }
    if (t_.is(at_, "__CUDA_ARCH__")) {
      ++at_;
      return arch_.value_or(0);
    }
    const std::string number(t_.text(at_++));
    known_ &= !number.empty() &&
              std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    return known_ ? std::stol(number) : 0;
  }

  const Tokens& t_;
  std::optional<long> arch_;
  std::size_t at_ = 0;
  bool known_ = true;
};

struct Line {
  std::size_t begin = 0, end = 0;  ///< without the line break
  std::string_view name;           ///< of its directive: "ifdef"; empty: none
  std::string_view rest;           ///< behind the name
};

Line line_at(std::string_view source, std::size_t begin) {
  Line line{begin, std::min(source.find('\n', begin), source.size()), {}, {}};
  const std::string_view text = source.substr(begin, line.end - begin);
  std::size_t i = text.find_first_not_of(" \t");
  if (i == text.npos || text[i] != '#') return line;
  i = std::min(text.find_first_not_of(" \t", i + 1), text.size());
  std::size_t end = i;
  while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
  line.name = text.substr(i, end - i);
  line.rest = text.substr(end);
  if (const std::size_t comment = line.rest.find("//"); comment != line.rest.npos)
    line.rest = line.rest.substr(0, comment);
  return line;
}

/// #if, perhaps #else, and #endif.
struct Group {
  Line begin, middle, end;
  bool has_else = false;
};

std::optional<Group> group_at(std::string_view source, const Line& begin, std::size_t limit) {
  Group group{begin, {}, {}, false};
  int depth = 1;
  for (std::size_t at = begin.end + 1; at < limit;) {
    const Line line = line_at(source, at);
    if (line.name.starts_with("if")) ++depth;
    if (line.name == "endif" && --depth == 0) {
      group.end = line;
      return group;
    }
    if (depth == 1 && line.name.starts_with("elif")) return std::nullopt;
    if (depth == 1 && line.name == "else") {
      group.middle = line;
      group.has_else = true;
    }
    at = line.end + 1;
  }
  return std::nullopt;
}

/// Which side the first part is for; empty: for both or none, or for more than a side.
std::optional<bool> is_for_device(const Line& line) {
  std::string condition(line.rest);
  if (line.name == "ifdef") condition = "defined(" + condition + ")";
  if (line.name == "ifndef") condition = "!defined(" + condition + ")";
  if (condition.ends_with('\\')) return std::nullopt;
  const auto device = Condition::of(condition, kArch), host = Condition::of(condition, std::nullopt);
  if (!device || !host || *device == *host) return std::nullopt;
  return *device;
}

/// Tokens that lie in [begin, end) of the source: the first, and the one behind the last.
std::pair<std::size_t, std::size_t> tokens_in(const Tokens& t, std::size_t first, std::size_t begin,
                                              std::size_t end) {
  while (first < t.size() && t[first].begin < begin) ++first;
  std::size_t last = first;
  while (last < t.size() && t[last].begin < end) ++last;
  return {first, last};
}

/// The name that the statement at `i` declares; empty: it declares none. Told by two words that follow each
/// other, with nothing between but what belongs to a type.
std::string_view declared_by(const Tokens& t, std::size_t i, std::size_t end) {
  static constexpr std::string_view kStatements[] = {"return", "throw", "goto", "delete",
                                                     "else",   "case",  "new"};
  if (!t.is_word(i) ||
      std::find(std::begin(kStatements), std::end(kStatements), t.text(i)) != std::end(kStatements))
    return {};
  for (++i; i < end; ++i) {
    if (t.is(i, "::"))
      ++i;
    else if (t.is(i, "<"))
      i = t.closing_angle(i);
    else if (t.is_word(i) &&
             !t.is_one_of(i, {"const", "unsigned", "long", "int", "float", "double", "char", "short"}))
      return t.text(i);
    else if (!t.is(i, "*") && !t.is(i, "&") && !t.is_word(i))
      return {};
  }
  return {};
}

/// Whether the tokens are whole statements, of which nothing that they declare is used in [behind, limit).
bool stand_alone(const Tokens& t, std::pair<std::size_t, std::size_t> part, std::size_t behind,
                 std::size_t limit) {
  const auto [first, last] = part;
  if (first == last) return true;
  if (!t.is(last - 1, ";") && !t.is(last - 1, "}")) return false;
  bool begins = true;
  for (std::size_t i = first; i < last; ++i) {
    if (begins)
      if (const std::string_view name = declared_by(t, i, last); !name.empty())
        for (std::size_t k = behind; k < limit; ++k)
          if (t.is(k, name)) return false;
    begins = t.is(i, ";") || t.is(i, "}");
    if (t.is(i, "(") || t.is(i, "{") || t.is(i, "[")) {
      i = t.closing(i);
      if (i >= last) return false;
      begins = t.is(i, "}");
    } else if (t.is(i, "}") || t.is(i, ")")) {
      return false;
    }
  }
  return true;
}

}  // namespace

void choose_side_at_run_time(const Tokens& t, const std::vector<std::pair<std::size_t, std::size_t>>& bodies,
                             Edits& edits) {
  const std::string_view source = t.source();
  for (const auto& [open, close] : bodies) {
    if (close >= t.size()) continue;
    const std::size_t limit = t[close].begin;
    for (std::size_t at = source.find('\n', t[open].begin) + 1; at != 0 && at < limit;) {
      const Line line = line_at(source, at);
      at = line.end + 1;
      if (line.name != "if" && line.name != "ifdef" && line.name != "ifndef") continue;
      const auto device = is_for_device(line);
      const auto group = device ? group_at(source, line, limit) : std::nullopt;
      if (!group) continue;
      const auto first =
          tokens_in(t, open, line.end, group->has_else ? group->middle.begin : group->end.begin);
      const auto second =
          tokens_in(t, open, group->has_else ? group->middle.end : group->end.begin, group->end.begin);
      const bool between = t.is_one_of(first.first - 1, {";", "{", "}"});
      if ((first.first == first.second && second.first == second.second) || !between ||
          !stand_alone(t, first, second.second, close) || !stand_alone(t, second, second.second, close))
        continue;
      edits.replace(line.begin, line.end,
                    *device ? "if (WORKBOOK_SIM_ON_DEVICE) {" : "if (!WORKBOOK_SIM_ON_DEVICE) {");
      if (group->has_else) edits.replace(group->middle.begin, group->middle.end, "} else {");
      edits.replace(group->end.begin, group->end.end, "}");
      const std::size_t middle = group->has_else ? group->middle.begin : group->end.begin;
      rename_in_conditions(source, *device ? line.end : middle, *device ? middle : group->end.begin,
                           {"__CUDA_ARCH__", "WORKBOOK_SIM_ARCH"}, edits);
      at = group->end.end + 1;
    }
  }
}

}  // namespace workbook::sim
