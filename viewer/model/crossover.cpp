#include "model/crossover.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/format.h"

namespace workbook::viewer {
namespace {

/// Sizes that at least two variants were timed at, with the fastest point of each.
std::map<double, const runs::SweepPoint*> fastest_points(const runs::Sweep& sweep) {
  std::map<double, const runs::SweepPoint*> fastest;
  std::map<double, int> count;
  for (const runs::SweepPoint& point : sweep.points) {
    if (!point.timed()) continue;
    const double at = runs::position_of(sweep, point);
    const runs::SweepPoint*& best = fastest[at];
    if (best == nullptr || point.median_us < best->median_us) best = &point;
    ++count[at];
  }
  std::erase_if(fastest, [&](const auto& each) { return count[each.first] < 2; });
  return fastest;
}

}  // namespace

std::vector<Reign> reigns(const runs::Sweep& sweep) {
  std::vector<Reign> found;
  for (const auto& [at, point] : fastest_points(sweep)) {
    if (!found.empty() && found.back().variant != point->variant) {
      // Where the two cross, if both were timed around here; else half way.
      const std::string before = found.back().variant;
      double border = std::sqrt(found.back().to * at), us = point->median_us;
      for (const runs::Crossing& each : runs::crossings(sweep, before, point->variant))
        if (each.position >= found.back().to && each.position <= at) {
          border = each.position;
          us = each.us;
        }
      found.back().to = border;
      found.back().us = us;
      found.push_back({point->variant, border, at, 0.0});
    }
    if (found.empty()) found.push_back({point->variant, at, at, 0.0});
    found.back().to = at;
  }
  return found;
}

std::string describe(const runs::Sweep& sweep, const std::vector<Reign>& all) {
  if (sweep.variants.size() < 2) return "One variant alone: nothing to cross";
  if (all.empty()) return "No size was timed for two variants";
  if (all.size() == 1 && sweep.variants.size() == 2 &&
      runs::are_alike(sweep, sweep.variants[0], sweep.variants[1]))
    return "The two cannot be told apart at any size";
  if (all.size() == 1) return capitalised(all.front().variant) + " is fastest at every size";
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += i == 0 ? all[i].variant + " is fastest" : ", then " + all[i].variant;
    if (i + 1 < all.size()) text += " up to " + format_position(sweep, all[i].to);
  }
  return capitalised(text);
}

std::string format_position(const runs::Sweep& sweep, double position) {
  if (sweep.dimension.empty()) return format_bytes(std::llround(position));
  return sweep.dimension + " " + format_count(std::llround(position));
}

}  // namespace workbook::viewer
