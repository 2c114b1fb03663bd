#include "cli/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base/terminal.h"
#include "cli/report/format.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

/// What differs between the points of a sweep: one dimension, or all sizes.
std::string size_text(const runs::Sweep& sweep, const runs::Sizes& sizes) {
  for (const auto& [name, size] : sizes)
    if (name == sweep.dimension) return fmt::format("{} {}", name, size);
  return sizes_text(sizes);
}

std::string position_text(const runs::Sweep& sweep, double position) {
  return sweep.dimension.empty() ? bytes_text(position) + " of inputs and outputs"
                                 : fmt::format("{} {:.0f}", sweep.dimension, position);
}

const runs::SweepPoint* find_point(const runs::Sweep& sweep, const std::string& variant,
                                   const runs::Sizes& sizes) {
  for (const runs::SweepPoint& point : sweep.points)
    if (point.variant == variant && point.sizes == sizes) return &point;
  return nullptr;
}

std::string points_table(const runs::Sweep& sweep, std::vector<std::string>& notes) {
  std::vector<std::string> header = {"size", "in + out"};
  for (const std::string& variant : sweep.variants) header.push_back("--" + variant);
  Table table(header);
  std::vector<runs::Sizes> done;
  for (const runs::SweepPoint& point : sweep.points) {
    if (std::find(done.begin(), done.end(), point.sizes) != done.end()) continue;
    done.push_back(point.sizes);
    std::vector<std::string> row = {size_text(sweep, point.sizes), "-"};
    double base = 0.0;
    for (std::size_t i = 0; i < sweep.variants.size(); ++i) {
      const runs::SweepPoint* at = find_point(sweep, sweep.variants[i], point.sizes);
      const double us = at != nullptr ? at->median_us : 0.0;
      if (at != nullptr && at->bytes > 0) row[1] = bytes_text(static_cast<double>(at->bytes));
      if (at != nullptr && us <= 0.0)
        notes.push_back(fmt::format("--{} at {}: {}", at->variant, sizes_text(at->sizes), at->note));
      if (i == 0) base = us;
      const bool against = i > 0 && base > 0.0 && us > 0.0;
      row.push_back((us > 0.0 ? time_text(us) : "-") + (against ? " " + ratio_text(base / us) : ""));
    }
    table.row(row);
  }
  const std::string note =
      sweep.variants.size() > 1
          ? paint(Colour::dim, "  with how many times as fast as --" + sweep.variants.front()) + '\n'
          : "";
  return table.text() + note;
}

}  // namespace

std::string crossing_text(const runs::Sweep& sweep, const std::string& a, const std::string& b) {
  if (runs::are_alike(sweep, a, b))
    return fmt::format("  --{} and --{} cannot be told apart at any size here.\n", a, b);
  const auto found = runs::crossings(sweep, a, b);
  std::string text;
  for (const runs::Crossing& at : found)
    text +=
        fmt::format("  --{} and --{} cross near {}, between {} and {}: below, --{} is faster; above, --{}.\n",
                    a, b, position_text(sweep, at.position), sizes_text(at.below), sizes_text(at.above),
                    at.faster_below, at.faster_above);
  if (!found.empty()) return text;
  const auto ours = runs::timed_points(sweep, a);
  for (auto point = ours.rbegin(); point != ours.rend(); ++point)
    if (const auto* other = find_point(sweep, b, (*point)->sizes); other != nullptr && other->timed())
      return fmt::format("  --{} is faster than --{} at every size here.\n",
                         other->median_us < (*point)->median_us ? b : a,
                         other->median_us < (*point)->median_us ? a : b);
  return fmt::format("  --{} and --{} have no size in common that both were timed at.\n", a, b);
}

std::string sweep_report(const runs::Sweep& sweep, const std::vector<std::string>& left_out) {
  std::string out = paint(Colour::bold, fmt::format("Puzzle {:02}: {}", sweep.puzzle, sweep.puzzle_title));
  out += fmt::format("\n  {} kernels, {} {}, {}\n\n",
                     runs::is_solution(sweep.origin) ? "the solution's" : "your",
                     sweep.measured() ? "measured on" : "modelled for", sweep.device,
                     sweep.dimension.empty() ? "from the teaching to the real shape"
                                             : "over " + sweep.dimension + " of the teaching shape");
  std::vector<std::string> notes = left_out;
  out += points_table(sweep, notes) + '\n';
  for (std::size_t i = 1; i < sweep.variants.size(); ++i)
    out += crossing_text(sweep, sweep.variants.front(), sweep.variants[i]);
  if (!sweep.measured() && sweep.variants.size() > 1)
    out += paint(Colour::dim, fmt::format("  Modelled times that differ by less than {:.0f} % are not told "
                                          "apart: a crossing is a region, not a point.\n",
                                          100 * runs::kModelError));
  for (const std::string& note : notes) out += paint(Colour::warn, "  " + note) + '\n';
  return out + '\n';
}

runs::Json sweep_json(const runs::Sweep& sweep, const std::vector<std::string>& left_out) {
  runs::Json json = runs::to_json(sweep);
  json["left_out"] = left_out;
  json["crossings"] = runs::Json::array();
  for (std::size_t i = 1; i < sweep.variants.size(); ++i)
    for (const runs::Crossing& at : runs::crossings(sweep, sweep.variants.front(), sweep.variants[i]))
      json["crossings"].push_back({{"a", sweep.variants.front()},
                                   {"b", sweep.variants[i]},
                                   {"position", at.position},
                                   {"us", at.us},
                                   {"faster_below", at.faster_below},
                                   {"faster_above", at.faster_above}});
  return json;
}

}  // namespace workbook::cli
