#include "changed_kernels.h"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "cuda_tokens.h"

namespace workbook::sim {
namespace {

using Names = std::set<std::string_view>;  // in a source

/// One at namespace scope: tokens [begin, end).
struct Declaration {
  std::size_t begin = 0, end = 0;
  std::size_t body = 0;   ///< the '{' of a function, else `end`
  std::string_view name;  ///< of what it declares; empty where that is nothing or is not told
  bool is_function() const { return body != end; }
};

bool holds(const Tokens& t, std::size_t begin, std::size_t end,
           std::initializer_list<std::string_view> words) {
  for (std::size_t i = begin; i < end; ++i)
    if (std::find(words.begin(), words.end(), t.text(i)) != words.end()) return true;
  return false;
}

/// Past a template's parameters.
std::size_t head(const Tokens& t, const Declaration& d) {
  if (!t.is(d.begin, "template") || !t.is(d.begin + 1, "<")) return d.begin;
  return std::min(t.closing_angle(d.begin + 1) + 1, d.end);
}

/// The last word before what follows a name: parameters, extents, a value, members.
std::string_view name_of(const Tokens& t, const Declaration& d) {
  std::string_view name;
  for (std::size_t i = head(t, d); i < d.end; ++i) {
    if (t.is(i, "<")) i = std::min(t.closing_angle(i), d.end);
    const bool attribute = t.text(i).starts_with("__") || t.is(i, "alignas");
    if (attribute && t.is(i + 1, "(")) {
      i = t.closing(i + 1);
      continue;
    }
    if (t.is(i, "(") || t.is(i, "[") || t.is(i, "{") || t.is(i, "=") || t.is(i, ";") || t.is(i, ":")) break;
    if (t.is_word(i)) name = t.text(i);
  }
  return name;
}

std::vector<Declaration> declarations(const Tokens& t, std::size_t begin, std::size_t end) {
  std::vector<Declaration> out;
  for (std::size_t i = begin; i < end;) {
    Declaration d{i, end, end, {}};
    std::size_t body = end;
    for (; i < end && !t.is(i, ";"); ++i) {
      const bool parameters_before = i > begin && t.is(i - 1, ")");
      if (t.is(i, "{") && parameters_before) {
        body = i;
        i = t.closing(i);
        break;
      }
      if (t.is(i, "(") || t.is(i, "[") || t.is(i, "{")) {
        const bool members = t.is(d.begin, "namespace") && t.is(i, "{");
        i = t.closing(i);
        if (members) break;
      }
    }
    i = std::min(i + 1, end);
    d.end = i;
    d.body = std::min(body, d.end);
    d.name = name_of(t, d);
    out.push_back(std::move(d));
  }
  return out;
}

std::vector<Declaration> declarations(const Tokens& t) { return declarations(t, 0, t.size()); }

/// The declarations are read without the preprocessor.
bool is_as_written(std::string_view source) {
  for (std::size_t at = source.find('#'); at != std::string_view::npos; at = source.find('#', at + 1)) {
    const std::size_t word = source.find_first_not_of(" \t", at + 1);
    for (const char* directive : {"define", "undef", "if"})
      if (word != std::string_view::npos && source.substr(word).starts_with(directive)) return false;
  }
  return true;
}

/// Whether it defines a type, and no variable of it: what its members define is the same in every object.
bool is_type(const Tokens& t, const Declaration& d) {
  return t.is_one_of(head(t, d), {"struct", "class", "union", "enum"}) && t.is(d.end - 1, ";") &&
         t.is(d.end - 2, "}");
}

/// Whether it declares a function that is defined elsewhere. In the parentheses behind a variable's name
/// stands a value, not a type and a name.
bool is_prototype(const Tokens& t, const Declaration& d) {
  if (!t.is(d.end - 1, ";") || !t.is(d.end - 2, ")")) return false;
  const std::size_t open = t.opening(d.end - 2);
  return open > d.begin && t.is_word(open - 1) &&
         (open + 1 == d.end - 2 || (t.is_word(open + 1) && t.is_word(open + 2)) ||
          holds(t, d.begin, open, {"inline"}));
}

/// Of variables there must not be two.
bool has_no_variables(const Tokens& t, std::size_t begin, std::size_t end, bool may_have_namespaces) {
  for (const Declaration& d : declarations(t, begin, end)) {
    const bool alias = t.is(d.begin, "namespace") && t.is(d.begin + 2, "=");
    const bool constant = alias || holds(t, d.begin, d.body, {"constexpr", "using", "static_assert"});
    if (t.is(d.begin, "namespace") && !alias) {
      std::size_t members = d.begin + 1;
      while (members < d.end && !t.is(members, "{")) ++members;
      const bool named = members > d.begin + 1 && members < d.end;
      if (!may_have_namespaces || !named || !has_no_variables(t, members + 1, d.end - 1, true)) return false;
      continue;
    }
    if (d.is_function() || constant || is_type(t, d) || is_prototype(t, d)) continue;
    if (holds(t, d.begin, d.end, {"namespace", "static", "__device__", "__constant__", "__managed__"}))
      return false;
  }
  return true;
}

/// Whether others know the function by its symbol alone: one at namespace scope that is no template, nor a
/// copy in each object that uses it.
bool is_replaceable(const Tokens& t, const Declaration& d) {
  if (!d.is_function() || d.name.empty() || head(t, d) != d.begin ||
      holds(t, d.begin, d.body, {"inline", "static", "constexpr", "consteval", "auto", "__device__"}))
    return false;
  const auto offset = static_cast<std::size_t>(d.name.data() - t.source().data());
  std::size_t name = d.begin;
  while (name < d.body && t[name].begin != offset) ++name;
  return t.is(name + 1, "(") && name > d.begin && !t.is_one_of(name - 1, {"::", "~"});
}

Names words_of(const Tokens& t, std::size_t begin, std::size_t end) {
  Names words;
  for (std::size_t i = begin; i < end; ++i)
    if (t.is_word(i)) words.emplace(t.text(i));
  return words;
}

bool share_one(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(), [&](std::string_view name) { return b.contains(name); });
}

/// Of the __shared__ variables of a function, or of a type's functions.
Names shared_names(const Tokens& t, const Declaration& d) {
  Names names;
  for (std::size_t i = d.begin; i < d.end; ++i) {
    if (!t.is(i, "__shared__")) continue;
    for (; i < d.end && !t.is(i, ";"); ++i)
      if (t.is_word(i) && (t.is(i + 1, "[") || t.is(i + 1, ",") || t.is(i + 1, ";")))
        names.emplace(t.text(i));
  }
  return names;
}

/// Whether the declarations tell all that there is, and none of it must be there once.
bool can_be_compared(const Tokens& before, const Tokens& after,
                     const std::vector<std::string_view>& headers) {
  if (!is_as_written(before.source()) || !is_as_written(after.source())) return false;
  for (const std::string_view header : headers)
    if (const Tokens t(header); !has_no_variables(t, 0, t.size(), true)) return false;
  return has_no_variables(before, 0, before.size(), false) && has_no_variables(after, 0, after.size(), false);
}

class Comparison {
 public:
  Comparison(std::string_view before, std::string_view after, const Surroundings& around)
      : before_(before),
        after_(after),
        around_(around),
        was_(declarations(before_)),
        is_(declarations(after_)) {}

  std::optional<std::vector<std::string>> kernels() {
    if (!can_be_compared(before_, after_, around_.headers) || was_.size() != is_.size()) return std::nullopt;
    for (std::size_t i = 0; i < is_.size(); ++i) {
      if (was_[i].name != is_[i].name) return std::nullopt;
      if (text(before_, was_[i]) == text(after_, is_[i])) continue;
      if (is_[i].name.empty() || shared_names(before_, was_[i]) != shared_names(after_, is_[i]))
        return std::nullopt;
      reached_.insert(is_[i].name);
    }
    spread();
    return reached_kernels();
  }

 private:
  static std::string text(const Tokens& t, const Declaration& d) { return t.joined(d.begin, d.end); }

  /// To all that mentions what is reached already, but for kernels: who launches one knows its place alone.
  void spread() {
    std::vector<Names> words;
    for (const Declaration& d : is_) words.push_back(words_of(after_, d.begin, d.end));
    Names kernels;
    for (const Declaration& d : is_)
      if (holds(after_, d.begin, d.body, {"__global__"})) kernels.insert(d.name);
    for (const Declaration& d : is_)
      if (!holds(after_, d.begin, d.body, {"__global__"})) kernels.erase(d.name);
    for (Names& mentioned : words)
      for (const std::string_view kernel : kernels) mentioned.erase(kernel);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < is_.size(); ++i)
        if (!reached_.contains(is_[i].name) && share_one(reached_, words[i]))
          more |= reached_.insert(is_[i].name).second;
    }
  }

  std::optional<std::vector<std::string>> reached_kernels() const {
    std::vector<std::string> kernels;
    const Tokens launches(around_.launches);
    const Names launched = words_of(launches, 0, launches.size());
    for (std::size_t i = 0; i < is_.size(); ++i) {
      const Declaration& d = is_[i];
      if (!reached_.contains(d.name)) continue;
      if (!holds(after_, d.begin, d.body, {"__global__"})) {
        if (d.name.empty() || launched.contains(d.name)) return std::nullopt;
        continue;
      }
      if (!d.is_function()) continue;  // declared ahead of its definition
      if (!stands_alone(i)) return std::nullopt;
      kernels.emplace_back(d.name);
    }
    return kernels;
  }

  /// Whether launches that know the kernel as it was can launch it as it is.
  bool stands_alone(std::size_t i) const {
    const Declaration &was = was_[i], &is = is_[i];
    Names around = words_of(after_, is.begin, is.body);  // its launch bounds are known from the first object
    around.erase(is.name);
    return was.is_function() && !share_one(around, reached_) &&
           !holds(after_, is.begin, is.body, {"inline", "static"}) &&
           before_.joined(was.begin, was.body) == after_.joined(is.begin, is.body);
  }

  Tokens before_, after_;
  const Surroundings& around_;
  std::vector<Declaration> was_, is_;
  Names reached_;  ///< names of what differs, or uses what differs
};

/// What differs of a program, when nobody else names what it defines.
class ProgramComparison {
 public:
  ProgramComparison(std::string_view before, std::string_view after,
                    const std::vector<std::string_view>& headers)
      : before_(before),
        after_(after),
        headers_(headers),
        was_(declarations(before_)),
        is_(declarations(after_)) {}

  std::optional<EditedProgram> parts() {
    if (!can_be_compared(before_, after_, headers_) || was_.size() != is_.size()) return std::nullopt;
    for (std::size_t i = 0; i < is_.size(); ++i) {
      if (was_[i].name != is_[i].name) return std::nullopt;
      if (before_.joined(was_[i].begin, was_[i].end) == after_.joined(is_[i].begin, is_[i].end)) continue;
      if (is_[i].name.empty() || shared_names(before_, was_[i]) != shared_names(after_, is_[i]))
        return std::nullopt;
      reached_.insert(i);
    }
    if (reached_.empty() || !spread()) return std::nullopt;
    return EditedProgram{changed(), unchanged()};
  }

 private:
  /// To all that mentions what is reached, but for replaceable functions. False where one of those is called
  /// otherwise than it was.
  bool spread() {
    for (bool more = true; more;) {
      more = false;
      Names names;
      for (const std::size_t i : reached_)
        if (!is_replaceable(after_, is_[i])) names.insert(is_[i].name);
      for (std::size_t i = 0; i < is_.size(); ++i)
        if (share_one(names, words_of(after_, is_[i].begin, is_[i].end))) more |= reached_.insert(i).second;
    }
    Names names;
    for (const std::size_t i : reached_)
      if (!is_replaceable(after_, is_[i])) names.insert(is_[i].name);
    return std::none_of(reached_.begin(), reached_.end(), [&](std::size_t i) {
      const Declaration &was = was_[i], &is = is_[i];
      return is_replaceable(after_, is) &&
             (!is_replaceable(before_, was) || share_one(names, words_of(after_, is.begin, is.body)) ||
              before_.joined(was.begin, was.body) != after_.joined(is.begin, is.body));
    });
  }

  /// A declaration in place of each function that is as it was, on the same lines.
  std::string changed() const {
    std::string text(after_.source());
    for (std::size_t i = is_.size(); i-- > 0;) {
      if (reached_.contains(i) || !is_replaceable(after_, is_[i])) continue;
      const std::size_t begin = after_[is_[i].body].begin, end = after_[is_[i].end - 1].end;
      const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      text.replace(begin, end - begin, ";" + std::string(static_cast<std::size_t>(lines), '\n'));
    }
    return text;
  }

  /// Nothing is compiled with what a replaceable function does in mind.
  std::string unchanged() const {
    std::string text(before_.source());
    for (std::size_t i = was_.size(); i-- > 0;)
      if (is_replaceable(before_, was_[i]))
        text.insert(before_[was_[i].begin].begin, "__attribute__((noipa)) ");
    return text;
  }

  Tokens before_, after_;
  const std::vector<std::string_view>& headers_;
  std::vector<Declaration> was_, is_;
  std::set<std::size_t> reached_;  ///< what differs, or uses what differs
};

}  // namespace

std::optional<EditedProgram> edited_program(std::string_view before, std::string_view after,
                                            const std::vector<std::string_view>& headers) {
  return ProgramComparison(before, after, headers).parts();
}

std::optional<std::vector<std::string>> changed_kernels(std::string_view before, std::string_view after,
                                                        const Surroundings& around) {
  return Comparison(before, after, around).kernels();
}

}  // namespace workbook::sim
