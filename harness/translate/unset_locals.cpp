#include "unset_locals.h"

#include <string>
#include <vector>

namespace workbook::sim {
namespace {

bool is_number_type(const Tokens& t, std::size_t i) {
  return t.is_one_of(i, {"unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool"});
}

/// A word that no declaration of a plain variable begins with.
bool begins_something_else(const Tokens& t, std::size_t i) {
  return t.is_one_of(
      i,
      {"return",        "goto",     "delete",     "using",        "typedef",    "static",    "extern",
       "break",         "continue", "if",         "else",         "for",        "while",     "do",
       "switch",        "case",     "default",    "throw",        "new",        "template",  "friend",
       "namespace",     "asm",      "constexpr",  "const",        "volatile",   "auto",      "operator",
       "sizeof",        "this",     "__shared__", "__constant__", "__device__", "constinit", "thread_local",
       "static_assert", "decltype", "try",        "catch",        "union"});
}

/// One past the type at `i`; `i` where there is none. `float`, `unsigned long long`, `cg::tile<4>`, `struct
/// Hit`.
std::size_t type_end(const Tokens& t, std::size_t i) {
  std::size_t k = i;
  while (is_number_type(t, k)) ++k;
  if (k > i) return k;
  if (t.is_one_of(k, {"typename", "struct", "class", "enum"})) ++k;
  if (t.is(k, "::")) ++k;
  for (;;) {
    if (!t.is_word(k) || begins_something_else(t, k)) return i;
    ++k;
    if (t.is(k, "<")) {
      k = t.closing_angle(k) + 1;
      if (k > t.size()) return i;
    }
    if (!t.is(k, "::")) return k;
    ++k;
    if (t.is(k, "template")) ++k;
  }
}

/// The names that the statement at `i` declares without a value, and the ';' at its end; none where it is no
/// such declaration.
struct Unset {
  std::vector<std::size_t> names;
  std::size_t end = 0;
};

Unset unset_in(const Tokens& t, std::size_t i) {
  while (t.is_one_of(i, {"alignas", "__align__"}) && t.is(i + 1, "(")) i = t.closing(i + 1) + 1;
  if (t.is(i, "register")) ++i;
  if (!t.is_word(i) || begins_something_else(t, i)) return {};
  std::size_t k = type_end(t, i);
  if (k == i) return {};
  Unset out;
  for (;; ++k) {
    while (t.is_one_of(k, {"*", "const", "__restrict__", "__restrict", "restrict"})) ++k;
    if (!t.is_word(k) || begins_something_else(t, k)) return {};
    const std::size_t name = k++;
    if (t[name].macro != t[i].macro) return {};
    while (t.is(k, "[")) k = t.closing(k) + 1;
    if (t.is(k, "=") || t.is(k, "{") || (t.is(k, "(") && !out.names.empty())) {
      while (k < t.size() && !t.is_one_of(k, {",", ";", ")", "}"})) {
        if (t.is(k, "<") && t.closing_angle(k) < t.size())
          k = t.closing_angle(k);
        else if (t.is_one_of(k, {"(", "[", "{"}))
          k = t.closing(k);
        ++k;
      }
    } else if (t.is_one_of(k, {",", ";"})) {
      out.names.push_back(name);
    } else {
      return {};
    }
    if (t.is(k, ";")) break;
    if (!t.is(k, ",")) return {};
  }
  out.end = k;
  return out;
}

/// The '}' of the class that is defined at `i`; `i` where none is.
std::size_t class_end(const Tokens& t, std::size_t i) {
  if (!t.is_one_of(i, {"struct", "class", "union", "enum"})) return i;
  std::size_t k = i + 1;
  while (k < t.size() && !t.is_one_of(k, {"{", ";", "(", "=", "}", ","})) ++k;
  return t.is(k, "{") && t.closing(k) < t.size() ? t.closing(k) : i;
}

}  // namespace

void mark_unset_locals(const Tokens& t, const DeviceWords& words, Edits& edits) {
  int line = 0;
  unsigned int of_line = 0;
  for (const auto& [open, close] : device_bodies(t, words))
    for (std::size_t i = open; i < close; ++i) {
      if (t[i].macro != 0) continue;
      if (const std::size_t end = class_end(t, i); end != i) {
        i = end;
        continue;
      }
      if (!t.is_one_of(i, {"{", ";", "}"}) || t[i + 1].macro != 0) continue;
      const Unset unset = unset_in(t, i + 1);
      if (unset.names.empty() || unset.end >= close) continue;
      std::string marks;
      for (const std::size_t name : unset.names) {
        if (t.line(unset.end) != line) line = t.line(unset.end), of_line = 0;
        marks += " WORKBOOK_SIM_UNSET(" + std::string(t.text(name)) + ", " + std::to_string(of_line++) + ");";
      }
      edits.insert(t[unset.end].end, marks);
      i = unset.end - 1;
    }
}

}  // namespace workbook::sim
