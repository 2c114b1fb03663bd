#include "declarations.h"

#include <algorithm>

namespace workbook::sim {

bool holds(const Tokens& t, std::size_t begin, std::size_t end,
           std::initializer_list<std::string_view> words) {
  for (std::size_t i = begin; i < end; ++i)
    if (t.is_one_of(i, words)) return true;
  return false;
}

std::size_t head(const Tokens& t, const Declaration& d) {
  if (!t.is(d.begin, "template") || !t.is(d.begin + 1, "<")) return d.begin;
  return std::min(t.closing_angle(d.begin + 1) + 1, d.end);
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

namespace {

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

}  // namespace

std::vector<Declaration> declarations(const Tokens& t) { return declarations(t, 0, t.size()); }

bool is_replaceable(const Tokens& t, const Declaration& d) {
  if (!d.is_function() || d.name.empty() || head(t, d) != d.begin ||
      holds(t, d.begin, d.body, {"inline", "static", "constexpr", "consteval", "auto", "__device__"}))
    return false;
  const auto offset = static_cast<std::size_t>(d.name.data() - t.source().data());
  std::size_t name = d.begin;
  while (name < d.body && t[name].begin != offset) ++name;
  return t.is(name + 1, "(") && name > d.begin && !t.is_one_of(name - 1, {"::", "~"});
}

bool is_host_function(const Tokens& t, const Declaration& d) {
  return is_replaceable(t, d) && !holds(t, d.begin, d.body, {"__global__"});
}

std::string known_by_symbols(const Tokens& t, bool (*which)(const Tokens&, const Declaration&)) {
  const std::vector<Declaration> all = declarations(t);
  std::string text(t.source());
  for (std::size_t i = all.size(); i-- > 0;)
    if (which(t, all[i])) text.insert(t[all[i].begin].begin, "__attribute__((noipa)) ");
  return text;
}

std::optional<std::vector<std::size_t>> differing(const Tokens& before, const std::vector<Declaration>& was,
                                                  const Tokens& after, const std::vector<Declaration>& is,
                                                  const std::vector<std::string_view>& headers) {
  if (!can_be_compared(before, after, headers) || was.size() != is.size()) return std::nullopt;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (was[i].name != is[i].name) return std::nullopt;
    if (before.joined(was[i].begin, was[i].end) == after.joined(is[i].begin, is[i].end)) continue;
    if (is[i].name.empty() || shared_names(before, was[i]) != shared_names(after, is[i])) return std::nullopt;
    out.push_back(i);
  }
  return out;
}

}  // namespace workbook::sim
