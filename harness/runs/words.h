// The words that records have for a few things, and the values that the code has for these words. All that
// reads or writes such a word goes by kWords, and a record with a word that does not stand there is refused.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace workbook::runs {

/// Of a value of `Enum`, in the order of its declaration; only enums of words have any.
template <class Enum>
inline constexpr std::array<const char*, 0> kWords{};

template <class Enum>
concept Worded = kWords<Enum>
.size() > 0;

template <Worded Enum>
constexpr const char* word_of(Enum value) {
  return kWords<Enum>[static_cast<std::size_t>(value)];
}

template <Worded Enum>
constexpr std::optional<Enum> from_word(std::string_view word) {
  const auto found = std::find(kWords<Enum>.begin(), kWords<Enum>.end(), word);
  if (found == kWords<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - kWords<Enum>.begin());
}

/// How bad a finding is: the lower, the more severe.
enum class Severity { error, warning, advice };
template <>
inline constexpr std::array kWords<Severity> = {"error", "warning", "advice"};

/// What came of a run; none where nothing was judged, as in the report of one phase.
enum class Verdict {
  none,
  correct,
  wrong,
  finding,
  over_budget,
  not_filled,
  does_not_compile,
  crashed,
  timed_out,
  harness_error
};
template <>
inline constexpr std::array kWords<Verdict> = {
    "",           "correct",          "wrong",   "finding",   "over_budget",
    "not_filled", "does_not_compile", "crashed", "timed_out", "harness_error"};

}  // namespace workbook::runs
