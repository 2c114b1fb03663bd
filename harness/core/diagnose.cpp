#include "diagnose.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "evidence.h"
#include "formula.h"
#include "moved.h"
#include "stored_apart.h"
#include "thread_place.h"

namespace workbook::core {
namespace {

std::string never_written(const Evidence& e) {
  if (e.unwritten.empty() || e.s.threads_ended) return {};
  if (e.unwritten.size() == e.size())
    return "nothing was written to " + e.name + ": no thread stored a single element.";
  const std::size_t stored = e.size() - e.unwritten.size();
  // Where what was stored is wrong, too, the index is, and not how far it goes.
  if (e.is_tail(e.unwritten) && 4 * e.computed.size() >= stored)
    return e.name + " has nothing from " + e.at(e.unwritten.front()) + " on, and of the " +
           std::to_string(stored) + " elements before it " + std::to_string(e.computed.size()) +
           " are wrong as well, the first of them " + e.at(e.computed.front()) +
           ": look at the index of the store, at what a row or a block adds to it.";
  if (e.is_tail(e.unwritten) && e.computed.empty())
    return e.name + " was written only up to " + e.at(e.unwritten.front() - 1) + ": nothing from " +
           e.at(e.unwritten.front()) +
           " on. Is the grid too small, the index capped, or the guard too strict?";
  return std::to_string(e.unwritten.size()) + " of " + std::to_string(e.size()) + " elements of " + e.name +
         " were never written, the first of them " + e.at(e.unwritten.front()) + ".";
}

// What -ftrivial-auto-var-init=pattern leaves in a float is -1.69e38 (bytes 0xfe, g++); arithmetic with
// ordinary numbers keeps it near there, or makes an infinity of it.
constexpr double kUnsetFloat = 1e36;

std::string is_unset(const Evidence& e) {
  if (!(std::abs(e.got(e.wrong.front())) > kUnsetFloat)) return {};
  return "so large a value comes from a variable or an array of a thread's own that is used before it is set. The "
         "checked build fills those with -1.7e+38; a GPU leaves there what it likes.";
}

std::string is_nan(const Evidence& e) {
  std::size_t count = 0;
  for (const std::size_t i : e.wrong) count += std::isnan(e.got(i));
  if (count == 0 || count < e.wrong.size()) return {};
  return "every wrong element is NaN: 0/0, inf - inf, inf/inf, 0 * inf or a root of a negative number was computed "
         "(exp of more than 88 is inf in float), or something uninitialised was read.";
}

std::string is_constant(const Evidence& e) {
  if (e.wrong.size() < e.size() || e.size() < 2) return {};
  bool is_meant = true;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (e.got(i) != e.got(0)) return {};
    is_meant = is_meant && e.s.expected[i] == e.s.expected[0];
  }
  if (is_meant && e.got(0) != 0.0) return {};
  if (e.got(0) == 0.0)
    return "every element of " + e.name +
           " is 0: what was computed did not reach the store, or whole numbers were divided.";
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", e.got(0));
  return "every element of " + e.name + " is " + text + ": each thread stored the same value.";
}

std::string is_copy(const Evidence& e) {
  for (const auto& [input, values] : e.s.inputs) {
    if (values.size() != e.size() || e.size() < 4) continue;
    bool same = true;
    for (std::size_t i = 0; i < e.size() && same; ++i) same = e.got(i) == values[i];
    if (same) return e.name + " is a copy of " + std::string(input) + ", element by element.";
  }
  return {};
}

/// got[i] is what belongs at i + k, for every i that has one.
bool is_shifted_by(const Evidence& e, std::ptrdiff_t k) {
  const auto n = static_cast<std::ptrdiff_t>(e.size());
  std::ptrdiff_t seen = 0;
  for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -k); i < std::min(n, n - k); ++i, ++seen)
    if (!e.right(static_cast<std::size_t>(i), e.s.expected[static_cast<std::size_t>(i + k)])) return false;
  return seen >= 3;
}

std::string is_shifted(const Evidence& e) {
  const auto row = static_cast<std::ptrdiff_t>(e.row());
  std::vector<std::ptrdiff_t> distances = {1, -1, 2, -2, 4, -4, 32, -32};
  if (e.s.shape.size() > 1) distances.insert(distances.end(), {row, -row});
  for (const std::int64_t threads : e.s.block_threads)
    distances.insert(distances.end(),
                     {static_cast<std::ptrdiff_t>(threads), -static_cast<std::ptrdiff_t>(threads)});
  for (const std::ptrdiff_t k : distances) {
    if (!is_shifted_by(e, k)) continue;
    // Of the elements at one end it says nothing: where those are right, it is not every value.
    const std::size_t left = static_cast<std::size_t>(std::abs(k));
    const auto others = std::count_if(e.wrong.begin(), e.wrong.end(),
                                      [&](std::size_t i) { return k < 0 ? i < left : i + left >= e.size(); });
    if (left >= 8 && others == 0) continue;
    const std::string places =
        k == row && e.s.shape.size() > 1    ? "one row too early"
        : k == -row && e.s.shape.size() > 1 ? "one row too late"
        : std::abs(k) == 1                  ? (k > 0 ? "one place too early" : "one place too late")
                           : std::to_string(std::abs(k)) + (k > 0 ? " places too early" : " places too late");
    return "every value stands " + places +
           (std::abs(k) == 1 ? ": the index is off by one." : ": look at the index.");
  }
  return {};
}

std::string is_transposed(const Evidence& e) {
  const std::size_t dims = e.s.shape.size();
  if (dims < 2) return {};
  const auto rows = static_cast<std::size_t>(e.s.shape[dims - 2]), columns = e.row();
  if (rows < 2 || columns < 2) return {};
  // In place of its own [i][j] an element holds what belongs at [j][i], or the matrix was stored column by
  // column.
  for (const bool stored : {false, true}) {
    if (!stored && rows != columns) continue;
    bool same = true;
    for (std::size_t first = 0; first < e.size() && same; first += rows * columns)
      for (std::size_t i = 0; i < rows * columns && same; ++i)
        same = e.right(first + i, e.s.expected[first + (i % rows) * columns + i / rows]);
    if (same)
      return e.name +
             " is transposed: its last two indices changed places, where it is written or where its input is read.";
  }
  return {};
}

std::string is_offset(const Evidence& e) {
  if (e.wrong.size() < 2 || e.computed.size() < e.wrong.size()) return {};
  // Of the largest: its factor has the least rounding.
  std::size_t largest = e.wrong.front();
  for (const std::size_t i : e.wrong)
    if (std::abs(e.s.expected[i]) > std::abs(e.s.expected[largest])) largest = i;
  const double offset = e.got(largest) - e.s.expected[largest];
  const double factor = e.s.expected[largest] == 0 ? 0 : e.got(largest) / e.s.expected[largest];
  bool same_offset = true, same_factor = factor != 0, alike = true;
  for (const std::size_t i : e.wrong) {
    const double scale = std::max(1.0, std::abs(factor));
    same_offset = same_offset && e.near(i, e.s.expected[i] + offset);
    same_factor =
        same_factor && std::abs(e.got(i) - e.s.expected[i] * factor) <= scale * e.room(e.s.expected[i]);
    alike = alike && e.s.expected[i] == e.s.expected[largest];
  }
  // A few elements, or elements that are all alike, tell nothing unless that is all that there is.
  if (e.wrong.size() < e.size() && (e.wrong.size() < 4 || alike)) return {};
  const std::string those = e.wrong.size() == e.size() ? "every element is " : "every wrong element is ";
  char text[120];
  if (same_offset) {
    std::snprintf(text, sizeof text,
                  "off by the same amount, %.6g: a term that all share is missing, doubled or another one.",
                  offset);
    return those + text;
  }
  if (!same_factor) return {};
  std::snprintf(text, sizeof text,
                "%.6g times what it should be: a factor that all share is missing, doubled or another one.",
                factor);
  return those + text;
}

/// Values that are right to the digits of a smaller type only.
std::string is_rounded(const Evidence& e) {
  if (is_integer(e.s.tensor.type)) return {};
  double largest = 0.0;
  std::size_t above = 0, below = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (!std::isfinite(e.got(i)) || e.s.expected[i] == 0.0) return {};
    const double off = e.got(i) - e.s.expected[i];
    largest = std::max(largest, std::abs(off) / std::abs(e.s.expected[i]));
    above += off > 0.0;
    below += off < 0.0;
  }
  // Rounding goes up as often as down; what is left out of a sum goes one way as a rule.
  if (e.wrong.size() < 8 || 5 * std::min(above, below) < above + below) return {};
  if (e.s.tensor.type == Type::f32 && largest <= 0x1p-10)
    return "every value is right to three digits and no further: somewhere on the way it was held in half, or a fast "
           "approximation took its place.";
  if (largest <= 0x1p-7)
    return "every value is right to two digits and no further: it was rounded once too often on the way (bfloat16 keeps 8 bits, "
           "half 11).";
  return {};
}

/// Numbers without a fraction where others are meant.
std::string is_whole(const Evidence& e) {
  if (is_integer(e.s.tensor.type) || e.computed.size() < 4 || e.computed.size() < e.wrong.size()) return {};
  const auto whole = [](double value) { return value == std::round(value); };
  const auto count =
      std::count_if(e.wrong.begin(), e.wrong.end(), [&](std::size_t i) { return whole(e.s.expected[i]); });
  constexpr double kAlwaysWhole = 0x1p23;  // a float of that size has no fraction
  const bool all = std::all_of(e.wrong.begin(), e.wrong.end(), [&](std::size_t i) {
    return whole(e.got(i)) && std::abs(e.got(i)) < kAlwaysWhole;
  });
  if (!all || 4 * static_cast<std::size_t>(count) > e.wrong.size()) return {};
  return "every wrong element is a whole number, where few should be: was something held in an int, or an int "
         "divided by another?";
}

/// Right up to a place, wrong from there on. Says why only where the place itself tells.
std::string is_prefix(const Evidence& e) {
  if (e.wrong.empty() || e.wrong.front() == 0 || !e.is_tail(e.wrong)) return {};
  const std::size_t good = e.wrong.front();
  const std::string from =
      e.name + " is right up to " + e.at(good - 1) + " and wrong from " + e.at(good) + " on";
  if (e.s.shape.size() > 1 && good == e.row() && e.size() > good)
    return "only the first row of " + e.name +
           " is right: each further row begins where the index adds its stride.";
  for (const std::int64_t threads : e.s.block_threads) {
    const auto block = static_cast<std::size_t>(threads);
    if (good == block && e.size() > block)
      return "only the first " + std::to_string(good) + " elements of " + e.name +
             " are right, which is one block: does the index use blockIdx, and the grid cover the rest?";
    if (good % block == 0 && e.size() - good < block)
      return from + ": that is the last, partly filled block.";
  }
  if (good == 32) return "only the first 32 elements of " + e.name + " are right, which is one warp.";
  return from + ".";
}

/// Wrong in the same places of every block's elements, or of some blocks'.
std::string is_of_threads(const Evidence& e) {
  for (const std::int64_t threads : e.s.block_threads) {
    const auto block = static_cast<std::size_t>(threads);
    if (block < 2 || e.size() <= block || e.wrong.front() / block == e.wrong.back() / block) continue;
    const std::size_t place = e.wrong.front() % block;
    if (!std::all_of(e.wrong.begin(), e.wrong.end(), [&](std::size_t i) { return i % block == place; }))
      continue;
    const std::string which = place == 0           ? "the first"
                              : place + 1 == block ? "the last"
                                                   : "number " + std::to_string(place);
    const std::size_t blocks = (e.size() - place - 1) / block + 1;
    return "of each " + std::to_string(block) + " elements of " + e.name +
           ", as many as a block has threads, only " + which + " is wrong, " +
           (e.wrong.size() == blocks
                ? "in every block."
                : "in " + std::to_string(e.wrong.size()) + " of " + std::to_string(blocks) + " blocks.");
  }
  return {};
}

std::string is_regular(const Evidence& e) {
  if (e.wrong.size() == e.size() || e.wrong.size() < 3) return {};
  const std::size_t step = e.wrong[1] - e.wrong[0];
  bool even = step > 1;
  for (std::size_t i = 1; i < e.wrong.size() && even; ++i) even = e.wrong[i] - e.wrong[i - 1] == step;
  if (even && step == e.row())
    return "only column " + std::to_string(e.wrong.front() % step) + " of " + e.name +
           " is wrong, in every row from " + e.at(e.wrong.front()) + " on.";
  if (even)
    return "every " + std::to_string(step) + ". element is wrong, from " + e.at(e.wrong.front()) +
           " on: compare that step with the block, the warp and the row.";
  if (e.s.shape.size() < 2) return {};
  const auto column = [&](std::size_t i) { return i % e.row(); };
  const std::size_t first = std::min_element(e.wrong.begin(), e.wrong.end(),
                                             [&](auto a, auto b) { return column(a) < column(b); })[0] %
                            e.row();
  if (first == 0) return {};
  std::size_t from_there = 0;
  for (std::size_t i = 0; i < e.size(); ++i) from_there += column(i) >= first;
  if (from_there != e.wrong.size()) return {};
  return "in every row of " + e.name + " the elements from index " + std::to_string(first) +
         " on are wrong: what have they, or the threads that made them, that those before them have not?";
}

template <class Recognisers>
std::string first_of(const Recognisers& recognisers, const Evidence& e) {
  for (const auto& recognise : recognisers)
    if (std::string text = recognise(e); !text.empty()) return text;
  return {};
}

Diagnosis pattern(const Evidence& e) {
  // From the most telling to the least.
  const auto causes = {is_stored_apart, never_written, is_unset,           is_nan,   is_constant, is_copy,
                       is_shifted,      is_transposed, is_of_thread_place, is_moved, is_formula,  is_offset};
  if (std::string text = first_of(causes, e); !text.empty()) return {std::move(text), true};
  const auto shares = {is_off_by_row, is_off_by_run};
  if (std::string text = first_of(shares, e); !text.empty()) return {std::move(text), false, true};
  const auto types = {is_rounded, is_whole};
  if (std::string text = first_of(types, e); !text.empty()) return {std::move(text), true};
  return {first_of(std::initializer_list<decltype(&is_prefix)>{is_prefix, is_of_threads, is_regular}, e),
          false};
}

}  // namespace

Diagnosis diagnose(const Suspicion& suspicion) {
  const Evidence evidence(suspicion);
  if (evidence.wrong.empty()) return {};
  Diagnosis said = suspicion.undefined_values ? Diagnosis{never_written(evidence), true} : pattern(evidence);
  if (suspicion.nan_explained && !said.words.empty() && said.words == is_nan(evidence)) return {};
  if (said.words.empty() && !suspicion.right_before.empty())
    return {"what comes before is right (" + suspicion.right_before.back() +
                "): the mistake is in what makes " + evidence.name + ".",
            false, true};
  return said;
}

}  // namespace workbook::core
