#include "local_arrays.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "local_types.h"

namespace workbook::sim {
namespace {

struct Array {
  std::size_t begin, type_end, name;
  std::size_t value;  ///< its '=' or '{'; `end` where it has none
  std::size_t end;    ///< the ';'
  int rank;
};

/// The one array, and nothing else, that the statement at `i` declares; `end` 0: it is another statement.
Array array_at(const Tokens& t, std::size_t i) {
  Array out{i, i, i, i, 0, 0};
  std::size_t k = i;
  while (t.is_one_of(k, {"alignas", "__align__"}) && t.is(k + 1, "(")) k = t.closing(k + 1) + 1;
  if (!t.is_word(k) || begins_something_else(t, k)) return out;
  out.type_end = type_end(t, k);
  if (out.type_end == k) return out;
  for (k = out.type_end; t.is_one_of(k, {"*", "const"});) ++k;
  if (!t.is_word(k) || begins_something_else(t, k) || !t.is(k + 1, "[") || t.is(k + 2, "]")) return out;
  out.name = k++;
  for (; t.is(k, "["); ++out.rank) k = t.closing(k) + 1;
  out.value = k;
  if (t.is(k, "=")) ++k;
  if (t.is(k, "{")) k = t.closing(k) + 1;
  if (!t.is(k, ";")) return out;
  for (std::size_t at = i; at <= k; ++at)
    if (t[at].macro != t[i].macro || t[at].branch != t[i].branch) return out;
  out.end = k;
  return out;
}

/// Whether the array is used as a pointer in tokens [begin, end).
bool is_handed_on(const Tokens& t, const Array& array, std::size_t begin, std::size_t end) {
  const std::string_view name = t.text(array.name);
  for (std::size_t i = begin; i < end; ++i) {
    if (!t.is(i, name) || t.is_one_of(i - 1, {".", "->", "::", ":"})) continue;
    if (t.is(i - 1, "sizeof") || (t.is(i - 1, "(") && t.is_one_of(i - 2, {"sizeof", "decltype"}))) continue;
    int indices = 0;
    for (std::size_t k = i + 1; t.is(k, "["); k = t.closing(k) + 1) ++indices;
    if (indices < array.rank || t.is(i - 1, "&")) return true;
  }
  return false;
}

void fence(const Tokens& t, const Array& array, Edits& edits) {
  const std::string name(t.text(array.name));
  edits.insert(t[array.begin].begin, "WORKBOOK_SIM_FENCE ");
  if (array.value == array.end) {
    edits.insert(t[array.end].begin, " WORKBOOK_SIM_FENCED(" + name + ")");
    return;
  }
  const std::size_t open = t.is(array.value, "=") ? array.value + 1 : array.value;
  edits.replace(t[array.value].begin, t[open].begin, " WORKBOOK_SIM_FENCED_AS(" + name + ") ");
  edits.insert(t[array.end].begin, " WORKBOOK_SIM_FENCED_END(" + name + ")");
}

/// Of the block with the braces `open` and `close`, and of those in it.
void fence_block(const Tokens& t, std::size_t open, std::size_t close, bool jumps, Edits& edits) {
  for (std::size_t i = open; i < close; ++i) {
    if (i > open && t.is(i, "{")) {
      const bool is_switch = t.is(i - 1, ")") && t.is(t.opening(i - 1) - 1, "switch");
      fence_block(t, i, t.closing(i), is_switch, edits);
      i = t.closing(i);
    } else if (const std::size_t end = class_end(t, i); end != i) {
      i = end;
      continue;
    }
    if (jumps || t[i].macro != 0 || !t.is_one_of(i, {"{", ";", "}"})) continue;
    const Array array = array_at(t, i + 1);
    if (array.end == 0 || array.end >= close) continue;
    if (is_handed_on(t, array, array.end, close)) fence(t, array, edits);
    i = array.end - 1;
  }
}

bool holds_one(const Tokens& t, std::size_t begin, std::size_t end,
               std::initializer_list<std::string_view> words) {
  for (std::size_t i = begin; i < end; ++i)
    if (t.is_one_of(i, words)) return true;
  return false;
}

}  // namespace

void fence_local_arrays(const Tokens& t, const DeviceWords& words, Edits& edits) {
  for (const auto& [open, close] : device_bodies(t, words)) {
    std::size_t begin = open;
    while (begin > 0 && !t.is_one_of(begin - 1, {";", "}", "{"})) --begin;
    if (!holds_one(t, begin, open, {"constexpr", "consteval"}) && !holds_one(t, open, close, {"goto"}))
      fence_block(t, open, close, false, edits);
  }
}

}  // namespace workbook::sim
