#include "runs/sweep.h"

#include <algorithm>
#include <cmath>

#include "runs/timing.h"

namespace workbook::runs {

double position_of(const Sweep& sweep, const SweepPoint& point) {
  for (const auto& [name, size] : point.sizes)
    if (name == sweep.dimension) return static_cast<double>(size);
  return static_cast<double>(point.bytes);
}

std::vector<const SweepPoint*> timed_points(const Sweep& sweep, const std::string& variant) {
  std::vector<const SweepPoint*> points;
  for (const SweepPoint& point : sweep.points)
    if (point.variant == variant && point.timed()) points.push_back(&point);
  std::stable_sort(points.begin(), points.end(), [&](const SweepPoint* a, const SweepPoint* b) {
    return position_of(sweep, *a) < position_of(sweep, *b);
  });
  return points;
}

std::vector<Crossing> crossings(const Sweep& sweep, const std::string& a, const std::string& b) {
  std::vector<Crossing> found;
  const SweepPoint* last = nullptr;  // of a, where one of the two was last ahead
  double last_lead = 0.0;            // log(time of a / time of b) there: above 0, b is faster
  const auto others = timed_points(sweep, b);
  for (const SweepPoint* at : timed_points(sweep, a)) {
    const auto other = std::find_if(others.begin(), others.end(),
                                    [&](const SweepPoint* each) { return each->sizes == at->sizes; });
    if (other == others.end()) continue;
    const double lead = std::log(at->median_us / (*other)->median_us);
    if (lead == 0.0) continue;
    if (last != nullptr && (lead > 0.0) != (last_lead > 0.0)) {
      const double share = last_lead / (last_lead - lead);
      const auto between = [&](double from, double to) {
        return std::exp(std::log(from) + share * (std::log(to) - std::log(from)));
      };
      found.push_back({last_lead > 0.0 ? b : a, lead > 0.0 ? b : a,
                       between(position_of(sweep, *last), position_of(sweep, *at)),
                       between(last->median_us, at->median_us), last->sizes, at->sizes});
    }
    last = at;
    last_lead = lead;
  }
  return found;
}

bool are_alike(const Sweep& sweep, const std::string& a, const std::string& b) {
  const auto others = timed_points(sweep, b);
  for (const SweepPoint* at : timed_points(sweep, a)) {
    const auto other = std::find_if(others.begin(), others.end(),
                                    [&](const SweepPoint* each) { return each->sizes == at->sizes; });
    if (other == others.end()) continue;
    const double low = std::min(at->median_us, (*other)->median_us),
                 high = std::max(at->median_us, (*other)->median_us);
    if (sweep.measured() ? at->high_us < (*other)->low_us || (*other)->high_us < at->low_us
                         : high > low * (1.0 + kModelError))
      return false;
  }
  return true;
}

}  // namespace workbook::runs
