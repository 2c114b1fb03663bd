// What workbook_sim/unset.h asks for. An object of its own: a program that has nothing unset does not link
// it, and its launches need not be run again.
#include <array>
#include <cstdint>

#include "unset_words.h"

namespace {

constexpr auto kFirst = [] {
  std::array<std::int32_t, workbook::sim::kUnsetWordsInAll> words{};
  words.fill(workbook::sim::kUnsetWord);
  return words;
}();

}  // namespace

extern "C" {

constinit std::array<std::int32_t, workbook::sim::kUnsetWordsInAll> workbook_sim_unset_words = kFirst;

std::int32_t workbook_sim_unset_word(unsigned int place) { return workbook_sim_unset_words[place]; }

std::int32_t workbook_sim_undefined_result(unsigned int what) {
  return workbook::sim::undefined_result(what, WORKBOOK_PC);
}

bool workbook_sim_looks_again() { return workbook::sim::replays(); }

}  // extern "C"
