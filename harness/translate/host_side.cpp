#include "host_side.h"

namespace workbook::sim {
namespace {

/// A word that no declaration of a plain variable of the host has.
bool is_no_variable(const Tokens& t, std::size_t i) {
  return t.is_one_of(i, {"const",        "constexpr",   "constinit",  "thread_local",
                         "template",     "typedef",     "using",      "extern",
                         "friend",       "namespace",   "operator",   "enum",
                         "concept",      "asm",         "__asm__",    "texture",
                         "surface",      "&",           "~",          "}",
                         "__constant__", "__managed__", "__shared__", "static_assert",
                         "__attribute__"});
}

}  // namespace

bool opens(const Tokens& t, std::size_t i) { return t.is_one_of(i, {"(", "[", "{"}); }

bool is_expression_word(const Tokens& t, std::size_t i) {
  return t.is_one_of(i, {"return", "sizeof", "alignof", "else", "case", "throw", "do", "delete", "co_return",
                         "co_yield", "and", "or", "not"});
}

bool is_type_before(const Tokens& t, std::size_t begin, std::size_t i) {
  if (begin >= i || !t.is_word(begin) || is_expression_word(t, begin)) return false;
  for (std::size_t k = begin; k < i; ++k)
    if (t.is(k, "<"))
      k = t.closing_angle(k);
    else if (!t.is_word(k) && !t.is_one_of(k, {"*", "&", "::"}))
      return false;
  return true;
}

std::pair<std::vector<std::size_t>, std::size_t> declared_names(const Tokens& t, std::size_t name) {
  std::vector<std::size_t> names = {name};
  std::size_t k = name + 1;
  for (; k < t.size() && !t.is(k, ";"); ++k) {
    if (opens(t, k)) {
      k = t.closing(k);
    } else if (t.is(k, ",")) {
      while (t.is(k + 1, "*")) ++k;
      if (t.is_word(k + 1)) names.push_back(k + 1);
    }
  }
  return {names, k};
}

HostVariables host_variables_at(const Tokens& t, const DeviceWords& words, std::size_t i) {
  std::size_t k = i;
  for (; k < t.size() && !t.is_one_of(k, {";", "=", ",", "[", "{", "("}); ++k) {
    if (t[k].macro != 0 || is_no_variable(t, k) || words.is_device(t, k) || words.is_attribute(t, k))
      return {};
    if (t.is(k, "<")) k = t.closing_angle(k);
  }
  const std::size_t type =
      t.is_one_of(i, {"struct", "class", "union"}) ? i + 1 : i;  // or a declaration of it
  const bool named = k > type + 1 && t.is_word(k - 1) && is_type_before(t, type, k - 1);
  if (!named || t.is_one_of(k, {"(", "{"}) || t.is(k - 2, "::") || looks_like_macro(t.text(i))) return {};
  const auto [names, end] = declared_names(t, k - 1);
  return end < t.size() ? HostVariables{names, end} : HostVariables{};
}

HostVariables host_tables_at(const Tokens& t, const DeviceWords& words, std::size_t i) {
  std::size_t k = i;
  bool constant = false;
  for (; k < t.size() && !t.is_one_of(k, {";", "=", ",", "[", "{", "("}); ++k) {
    const bool allowed = t.is(k, "const");
    constant |= allowed;
    if (t[k].macro != 0 || (!allowed && is_no_variable(t, k)) || words.is_device(t, k) ||
        words.is_attribute(t, k) || (t.is_word(k) && !t.is(k + 1, "[") && looks_like_macro(t.text(k))))
      return {};
    if (t.is(k, "<")) k = t.closing_angle(k);
  }
  if (!constant || !t.is(k, "[") || k < i + 2 || !t.is_word(k - 1) || t.is(k - 2, "::")) return {};
  return {{k - 1}, k};
}

std::size_t host_lambda(const Tokens& t, const DeviceWords& words, std::size_t i) {
  const bool follows_name =
      i > 0 && (t.is_one_of(i - 1, {")", "]", "["}) || (t.is_word(i - 1) && !is_expression_word(t, i - 1)));
  const bool binds = i > 1 && t.is(i - 1, "&") && t.is_one_of(i - 2, {"auto", "&"});
  if (follows_name || binds || t.is(i + 1, "[")) return t.size();
  std::size_t k = t.closing(i) + 1;
  for (; k < t.size() && !t.is_one_of(k, {"{", ";", "=", ":", "]", "}"}); ++k) {
    if (t.is_word(k) && (words.is_device(t, k) || words.is_host(t, k) || looks_like_macro(t.text(k))))
      return t.size();
    if (opens(t, k)) k = t.closing(k);
  }
  return t.is(k, "{") ? k : t.size();
}

}  // namespace workbook::sim
