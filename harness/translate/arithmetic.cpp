#include "arithmetic.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace workbook::sim {
namespace {

bool is_number(const Tokens& t, std::size_t i) { return i < t.size() && t[i].kind == Token::Kind::number; }

/// Where a shift by something that is no literal has its operand; 0: there is none at `i`.
std::size_t shift_operand(const Tokens& t, std::size_t i) {
  const bool left = t.starts(i, "<<"), right = t.starts(i, ">>");
  if ((!left && !right) || i == 0 || t.is(i - 1, "operator")) return 0;
  if (t.is(i + 2, t.text(i)) || t.is(i - 1, t.text(i))) return 0;
  for (std::size_t k = t.statement(i); k < i; ++k)  // a stream, which is refused in its own words
    if (t.is_one_of(k, {"cout", "cerr", "clog"})) return 0;
  const bool behind_operand = t.is_word(i - 1) || is_number(t, i - 1) || t.is_one_of(i - 1, {")", "]"});
  if (!behind_operand || t.is_one_of(i - 1, {"return", "case"})) return 0;
  if (right && (t.opening(i) < t.size() || t.opening(i + 1) < t.size())) return 0;
  const std::size_t operand = i + (t.starts(i + 1, left ? "<=" : ">=") ? 3 : 2);
  // "x << 32 - n", not "x << 3".
  const bool computed = is_number(t, operand) && t.is_one_of(operand + 1, {"+", "-", "*", "/", "%"});
  const bool begins = computed || t.is_word(operand) || t.is_one_of(operand, {"(", "-", "+", "~", "*", "!"});
  return begins ? operand : 0;
}

bool is_integer_word(const Tokens& t, std::size_t i) {
  return t.is_one_of(
      i, {"int", "unsigned", "signed", "long", "short", "char", "uint", "uchar", "ushort", "size_t", "int8_t",
          "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"});
}

/// Whether the parentheses at `i` hold the name of a type of numbers, and nothing else.
bool is_type(const Tokens& t, std::size_t i) {
  std::size_t k = i + 1;
  while (is_integer_word(t, k) || t.is_one_of(k, {"float", "double"})) ++k;
  return k > i + 1 && t.is(k, ")");
}

/// The ')' of a cast to an integer type at the '(' at `i`; size(): it is none.
std::size_t cast_end(const Tokens& t, std::size_t i) {
  std::size_t k = i + 1;
  while (is_integer_word(t, k)) ++k;
  if (k == i + 1 || !t.is(k, ")")) return t.size();
  if (t.is(i - 1, ")") && is_type(t, t.opening(i - 1))) return k;  // "(float)(int)x"
  if (i > 0 && (t.is_word(i - 1) || t.is_one_of(i - 1, {")", "]", ">"})) &&
      !t.is_one_of(i - 1, {"return", "case", "else"}))
    return t.size();
  return k;
}

/// One past the cast-expression that begins at `i`; `i` where it is not understood.
std::size_t operand_end(const Tokens& t, std::size_t i) {
  std::size_t k = i;
  while (t.is_one_of(k, {"-", "+", "~", "!", "*", "&"})) ++k;
  if (t.is(k, "(")) {
    const std::size_t close = t.closing(k);
    // "(float)x", "(n)(x)": another cast, perhaps.
    const bool more = t.is_word(close + 1) || is_number(t, close + 1) || t.is(close + 1, "(");
    if (more) return i;
    k = close + 1;
  } else if (is_number(t, k)) {
    ++k;
  } else if (t.is_word(k) && !t.is_one_of(k, {"sizeof", "new", "alignof", "static_cast", "reinterpret_cast",
                                              "const_cast", "operator"})) {
    ++k;
    while (t.is(k, "::") && t.is_word(k + 1)) k += 2;
    if (t.is(k, "<")) {
      const std::size_t close = t.closing_angle(k);
      if (close < t.size() && t.is(close + 1, "(")) k = close + 1;
    }
  } else {
    return i;
  }
  for (;;) {
    if (t.is_one_of(k, {"(", "["}))
      k = t.closing(k) + 1;
    else if (t.is_one_of(k, {".", "->"}) && t.is_word(k + 1))
      k += 2;
    else if (t.starts(k, "++") || t.starts(k, "--"))
      k += 2;
    else
      return k <= t.size() ? k : i;
  }
}

}  // namespace

void rewrite_arithmetic(const Tokens& t, const DeviceWords& words, Edits& edits) {
  for (const auto& [open, close] : device_bodies(t, words))
    for (std::size_t i = open; i < close; ++i) {
      if (t[i].macro != 0) continue;
      if (const std::size_t operand = shift_operand(t, i); operand != 0) {
        edits.insert(t[operand].begin, "::workbook::sim::by * ");
        i = operand - 1;
        continue;
      }
      if (!t.is(i, "(")) continue;
      const std::size_t end = cast_end(t, i);
      if (end >= t.size()) continue;
      const std::size_t behind = operand_end(t, end + 1);
      if (behind == end + 1 || behind > close) continue;
      edits.replace(t[i].begin, t[end].end, "::workbook::sim::to<" + t.joined(i + 1, end) + ">(");
      edits.insert(t[behind - 1].end, ")");
      i = end;
    }
}

}  // namespace workbook::sim
