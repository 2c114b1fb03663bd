#include "device_printf.h"

namespace workbook::sim {
namespace {

/// The first token of the name that ends at `i`: of "::std::printf" its colons. size(): of another scope.
std::size_t name_start(const Tokens& t, std::size_t i) {
  if (i == 0 || t.is_one_of(i - 1, {".", "->"})) return t.size();
  if (!t.is(i - 1, "::")) return i;
  if (i < 2 || !t.is_word(i - 2)) return i - 1;
  if (!t.is(i - 2, "std")) return t.size();
  return i > 2 && t.is(i - 3, "::") ? i - 3 : i - 2;
}

}  // namespace

void rewrite_printf(const Tokens& t, const DeviceWords& words, Edits& edits) {
  for (const auto& [open, close] : device_bodies(t, words))
    for (std::size_t i = open; i < close; ++i) {
      if (!t.is(i, "printf") || !t.is(i + 1, "(") || t[i].macro != 0) continue;
      if (const std::size_t begin = name_start(t, i); begin < t.size())
        edits.replace(t[begin].begin, t[i].end, "::workbook::sim::device_printf");
    }
}

}  // namespace workbook::sim
