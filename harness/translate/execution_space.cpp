#include "execution_space.h"

#include <algorithm>
#include <cctype>

namespace workbook::sim {
namespace {

/// The name of the macro that token `i` is part of the definition of.
std::string_view macro_name(const Tokens& t, std::size_t i) {
  while (i > 0 && t[i - 1].macro == t[i].macro) --i;
  constexpr std::string_view kDefine = "define";
  std::size_t begin = t.source().rfind(kDefine, t[i].begin) + kDefine.size();
  const auto is_word = [&](std::size_t at) {
    return std::isalnum(static_cast<unsigned char>(t.source()[at])) || t.source()[at] == '_';
  };
  while (begin < t[i].begin && !is_word(begin)) ++begin;
  std::size_t end = begin;
  while (end < t[i].begin && is_word(end)) ++end;
  return t.source().substr(begin, end - begin);
}

/// "twice" of "twice<int>"; operators have their arguments, if any, behind their own signs.
std::string_view without_arguments(std::string_view name) {
  return name.starts_with("operator") ? name : name.substr(0, name.find('<'));
}

}  // namespace

bool looks_like_macro(std::string_view word) {
  return word.size() > 2 && std::none_of(word.begin(), word.end(),
                                         [](char c) { return std::islower(static_cast<unsigned char>(c)); });
}

void DeviceWords::learn(std::string_view source) {
  const Tokens t(source);
  bool found = true;
  while (found) {  // a macro may stand for another that is defined behind it
    found = false;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (t[i].macro == 0) continue;
      if (is_device(t, i)) found |= macros_.emplace(macro_name(t, i)).second;
      if (is_host(t, i)) found |= of_host_.emplace(macro_name(t, i)).second;
    }
  }
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i].macro != 0 && (i == 0 || t[i - 1].macro != t[i].macro) &&
        (t.is(i, "__attribute__") || t.starts(i, "[[")))
      attributes_.emplace(macro_name(t, i));
  for (std::size_t i = 0; i < t.size(); ++i)
    if (is_device(t, i))
      if (const std::size_t name = t.declared_name(i); name < t.size()) functions_.emplace(t.text(name));
}

bool DeviceWords::is_device(const Tokens& t, std::size_t i) const {
  return t.is(i, "__device__") || t.is(i, "__global__") || (t.is_word(i) && macros_.contains(t.text(i)));
}

bool DeviceWords::is_host(const Tokens& t, std::size_t i) const {
  return t.is(i, "__host__") || (t.is_word(i) && of_host_.contains(t.text(i)));
}

bool DeviceWords::is_attribute(const Tokens& t, std::size_t i) const {
  return t.is_word(i) && attributes_.contains(t.text(i)) && !is_device(t, i);
}

std::vector<std::pair<std::size_t, std::size_t>> device_bodies(const Tokens& t, const DeviceWords& words) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i].macro != 0 || !words.is_device(t, i)) continue;
    std::size_t k = i + 1;
    for (; k < t.size() && t[k].macro == 0 && !t.is_one_of(k, {";", "{", "="}); ++k)
      if (t.is(k, "(")) k = t.closing(k);
    if (!t.is(k, "{") || t.closing(k) >= t.size()) continue;
    out.emplace_back(k, t.closing(k));
    i = t.closing(k);
  }
  return out;
}

Declarations::Declarations(std::string_view source, const DeviceWords& words, bool standard_library)
    : words_(words), standard_library_(standard_library), tokens_(source), device_(tokens_) {
  int line = 1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    line +=
        static_cast<int>(std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                                    source.begin() + static_cast<std::ptrdiff_t>(tokens_[i].begin), '\n'));
    at = tokens_[i].begin;
    lines_.push_back(line);
  }
}

std::size_t Declarations::first_in(int line) const {
  return static_cast<std::size_t>(std::lower_bound(lines_.begin(), lines_.end(), line) - lines_.begin());
}

bool Declarations::is_device_code(int line) const {
  bool inside = false;
  for (std::size_t i = first_in(line); i < lines_.size() && lines_[i] == line; ++i)
    inside |= device_.contains(i);
  return inside;
}

Space Declarations::space_of(int line, std::string_view name) const {
  const std::string_view base = without_arguments(name);
  if (base == "operator()" || base == "_FUN" || base == "__invoke")
    if (const Space lambda = of_lambda(line); lambda != Space::unknown) return lambda;
  const bool destructor = base.starts_with('~');
  const bool is_operator = base.starts_with("operator");
  const std::string_view word = destructor ? base.substr(1) : is_operator ? "operator" : base;
  Space found = Space::unknown;
  bool is_class = false;
  for (std::size_t i = first_in(line); i < lines_.size() && lines_[i] == line; ++i) {
    if (!tokens_.is(i, word) || tokens_[i].macro != 0) continue;
    is_class |= i > 0 && (tokens_.is(i - 1, "class") || tokens_.is(i - 1, "struct"));
    if (destructor != (i > 0 && tokens_.is(i - 1, "~"))) continue;
    std::size_t open = i + 1;
    if (is_operator && tokens_.is(open, "(")) ++open, ++open;  // operator()()
    while (is_operator && open < tokens_.size() && !tokens_.is(open, "(")) ++open;
    if (!tokens_.is(open, "(")) continue;
    const Space space = of_declarator(i, open);
    if (found != Space::unknown && space != found) return Space::unknown;  // two in a line, and not alike
    found = space;
  }
  if (!is_class) return found;
  if (found == Space::unknown) return Space::implicit;
  return destructor ? found : Space::unknown;  // beside a constructor in the class's own line stand others
}

Space Declarations::of_declarator(std::size_t name, std::size_t open) const {
  const std::size_t begin = tokens_.statement(name);
  std::size_t end = tokens_.closing(open) + 1;
  while (end < tokens_.size() && !tokens_.is(end, "{") && !tokens_.is(end, ";") && !tokens_.is(end, "=") &&
         !tokens_.is(end, ":"))
    ++end;
  if (tokens_.is(end, "=") && tokens_.is(end + 1, "default")) return Space::implicit;
  bool device = false, host = false, kernel = false, constant = false, macro = false;
  for (std::size_t i = begin; i < std::min(end, tokens_.size()); ++i) {
    if (i == name) i = tokens_.closing(open);
    const std::string_view word = tokens_.text(i);
    kernel |= word == "__global__";
    host |= word == "__host__";
    constant |=
        word == "constexpr" || word == "consteval" || (standard_library_ && word.ends_with("CONSTEXPR"));
    if (word == "__device__" || word == "__global__")
      device = true;
    else if (tokens_.is_word(i) && !standard_library_)
      macro |= words_.is_device(tokens_, i) || looks_like_macro(word);
  }
  if (macro) return Space::unknown;
  if (kernel) return Space::kernel;
  if (device) return host ? Space::both : Space::device;
  return constant ? Space::host_constant : Space::host;
}

/// A lambda without attributes runs where the function does that it stands in.
Space Declarations::of_lambda(int line) const {
  for (std::size_t i = first_in(line); i < lines_.size() && lines_[i] == line; ++i) {
    if (!tokens_.is(i, "[") || tokens_[i].macro != 0) continue;
    std::size_t end = tokens_.closing(i) + 1;
    bool host = false;
    for (; end < tokens_.size() && !tokens_.is(end, "{") && !tokens_.is(end, ";"); ++end)
      host |= tokens_.is(end, "__host__");
    if (tokens_.is(end, "{") && !host && device_.contains(end)) return Space::device;
  }
  return Space::unknown;
}

}  // namespace workbook::sim
