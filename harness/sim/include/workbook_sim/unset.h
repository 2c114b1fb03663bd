// Values that nobody set: what a variable of device code holds that is declared without a value, and what a
// collective gives to threads for which it defines no result. Each is a number of its own choice, another one
// when a launch is run again (engine/replay.h): what then comes out differently depends on it. Programs alone
// have them (harness/translate/unset_locals.h), and none that the compiler finds to be set before each use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "attributes.h"

namespace workbook::sim {
inline constexpr unsigned int kUnsetWords = 16384, kUnsetOfLine = 4;
}

extern "C" {
/// By place (workbook::sim::unset_place()) the number that is found there, which the engine changes between
/// launches. g++ traces no load of what is const, and clang does.
#ifdef __clang__
__attribute__((const)) std::int32_t workbook_sim_unset_word(unsigned int place);
#else
extern const std::int32_t workbook_sim_unset_words[workbook::sim::kUnsetWords];
#endif
/// The same for the result of a collective, of `what`, one of workbook::sim::Undefined. Tells
/// where it is called.
std::int32_t workbook_sim_undefined_result(unsigned int what);
/// Whether results outside of their threads are to be told apart: in programs, not in puzzles.
bool workbook_sim_looks_again();
}

namespace workbook::sim {

enum Undefined : unsigned int { kOfBlockReduce, kOfWarpReduce, kOfScan };
inline constexpr const char* kUndefinedResults[] = {"cub::BlockReduce", "cub::WarpReduce",
                                                    "an exclusive scan"};
inline constexpr unsigned int kUnsetPlaces =
    kUnsetWords - sizeof kUndefinedResults / sizeof kUndefinedResults[0];
/// Of the variable number `n` of those that the line declares without a value.
constexpr unsigned int unset_place(unsigned int line, unsigned int n) {
  return (line * kUnsetOfLine + n % kUnsetOfLine) % kUnsetPlaces;
}

template <class T>
WORKBOOK_SIM_INLINE constexpr void hold_unset(T& variable, std::int32_t word);

template <class T, std::size_t... kIndex>
WORKBOOK_SIM_INLINE constexpr void hold_unset_each(T& variable, std::int32_t word,
                                                   std::index_sequence<kIndex...>) {
  (hold_unset(variable[kIndex], word), ...);
}

template <class T>
WORKBOOK_SIM_INLINE constexpr void hold_unset(T& variable, std::int32_t word) {
  if constexpr (std::is_array_v<T>) {
    // Each element by its own name where they are few: the array may then stay in registers.
    constexpr std::size_t kFew = 32;
    if constexpr (std::extent_v<T> <= kFew)
      hold_unset_each(variable, word, std::make_index_sequence<std::extent_v<T>>());
    else
      for (auto& element : variable) hold_unset(element, word);
  } else if constexpr (std::is_const_v<T> || std::is_volatile_v<T>) {
  } else if constexpr (std::is_same_v<T, bool>) {
    variable = word < 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    variable = static_cast<T>(word) * static_cast<T>(1e25f);
  } else if constexpr (std::is_integral_v<T>) {
    variable = static_cast<T>(word);
  } else if constexpr (std::is_pointer_v<T>) {
    variable = reinterpret_cast<T>(static_cast<std::intptr_t>(word));
  } else if constexpr (std::is_enum_v<T>) {
    variable = static_cast<T>(static_cast<std::underlying_type_t<T>>(word < 0));
  } else if constexpr (std::is_trivially_default_constructible_v<T> && std::is_trivially_copyable_v<T>) {
    constexpr std::size_t kWord = sizeof word;
    for (std::size_t at = 0; at < sizeof(T); at += kWord)
      __builtin_memcpy(reinterpret_cast<char*>(&variable) + at, &word,
                       sizeof(T) - at < kWord ? sizeof(T) - at : kWord);
  }
}

/// A variable that was just declared, without a value.
template <class T>
WORKBOOK_SIM_INLINE constexpr void leave_unset(T& variable, unsigned int place) {
#ifdef __clang__
  if (!__builtin_is_constant_evaluated()) hold_unset(variable, workbook_sim_unset_word(place));
#else
  if (!__builtin_is_constant_evaluated()) hold_unset(variable, workbook_sim_unset_words[place]);
#endif
}

/// What a thread gets from a collective: `value` where it is defined.
template <class T>
WORKBOOK_SIM_INLINE T result_where(bool defined, T value, unsigned int what) {
  if (!defined && workbook_sim_looks_again()) hold_unset(value, workbook_sim_undefined_result(what));
  return value;
}

}  // namespace workbook::sim

#if WORKBOOK_SIM_IS_TRACED
#define WORKBOOK_SIM_UNSET(VARIABLE, N) \
  ::workbook::sim::leave_unset(VARIABLE, ::workbook::sim::unset_place(__LINE__, N))
/// At the begin of a constructor, of a member that the line declares; not where the host runs it.
#define WORKBOOK_SIM_UNSET_MEMBER(MEMBER, LINE, N) \
  if (WORKBOOK_SIM_ON_DEVICE)                      \
  ::workbook::sim::leave_unset(this->MEMBER, ::workbook::sim::unset_place(LINE, N))
#else
#define WORKBOOK_SIM_UNSET(VARIABLE, N) static_cast<void>(0)
#define WORKBOOK_SIM_UNSET_MEMBER(MEMBER, LINE, N) static_cast<void>(0)
#endif
