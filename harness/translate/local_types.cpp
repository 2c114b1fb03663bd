#include "local_types.h"

namespace workbook::sim {
namespace {

bool is_number_type(const Tokens& t, std::size_t i) {
  return t.is_one_of(i, {"unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool"});
}

}  // namespace

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

std::size_t class_end(const Tokens& t, std::size_t i) {
  if (!t.is_one_of(i, {"struct", "class", "union", "enum"})) return i;
  std::size_t k = i + 1;
  while (k < t.size() && !t.is_one_of(k, {"{", ";", "(", "=", "}", ","})) ++k;
  return t.is(k, "{") && t.closing(k) < t.size() ? t.closing(k) : i;
}

}  // namespace workbook::sim
