#include "stored_apart.h"

#include <algorithm>
#include <set>

namespace workbook::core {
namespace {

/// Whether rows that lie `pitch` apart explain what stands in every element, and that the others are empty.
/// Where rows overlap, which of two came last is open.
bool explains(const Evidence& e, std::size_t pitch) {
  const std::size_t columns = e.row(), rows = e.size() / columns;
  std::set<double> distinct;
  std::size_t moved = 0;
  auto empty = e.unwritten.begin();
  for (std::size_t place = 0; place < e.size(); ++place) {
    bool covered = false, held = false;
    for (std::size_t r = place < columns ? 0 : (place - columns) / pitch + 1; r < rows && r * pitch <= place;
         ++r) {
      covered = true;
      const std::size_t from = r * columns + place - r * pitch;
      if (!e.near(place, e.s.expected[from])) continue;
      held = true;
      if (from == place) continue;
      ++moved;
      distinct.insert(e.got(place));
    }
    const bool is_empty = empty != e.unwritten.end() && *empty == place;
    if (is_empty) ++empty;
    if (is_empty == covered || (!is_empty && !held)) return false;
  }
  return distinct.size() >= 6 && 4 * moved >= 3 * e.computed.size();
}

}  // namespace

std::string is_stored_apart(const Evidence& e) {
  if (e.s.shape.size() != 2 || e.computed.size() < 6 || e.row() == e.size()) return {};
  for (std::size_t pitch = 1; pitch <= 4 * e.row(); ++pitch) {
    if (pitch == e.row() || !explains(e, pitch)) continue;
    const std::string element = e.name + "[r][c]", place = " * r + c";
    return "the rows of " + e.name + " were stored " + std::to_string(pitch) + " elements apart: " + element +
           " went to place " + std::to_string(pitch) + place + ", counted row by row, where " +
           std::to_string(e.row()) + place + " is right.";
  }
  return {};
}

}  // namespace workbook::core
