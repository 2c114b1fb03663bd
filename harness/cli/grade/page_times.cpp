#include "cli/grade/page_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/base/text.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

/// Ratios to the reference, over powers of two.
class Axis {
 public:
  Axis(double least, double greatest, double from, double to)
      : least_(std::floor(std::log2(least) - 0.25)),
        greatest_(std::ceil(std::log2(greatest) + 0.25)),
        from_(from),
        to_(to) {}
  double at(double ratio) const {
    return from_ + (to_ - from_) * (std::log2(ratio) - least_) / (greatest_ - least_);
  }
  std::vector<double> ticks() const {
    std::vector<double> out;
    const double step = std::max(1.0, std::ceil((greatest_ - least_) / 5.0));
    for (double power = 0.0; power >= least_; power -= step) out.push_back(std::exp2(power));
    for (double power = step; power <= greatest_; power += step) out.push_back(std::exp2(power));
    return out;
  }

 private:
  double least_, greatest_, from_, to_;
};

struct Dot {
  double time, bytes;  ///< times the reference's
  std::vector<std::string> learners;
};

/// Those of one place are one dot.
std::vector<Dot> dots_of(const std::vector<GradedSubmission>& all, std::size_t item, double time_us,
                         double bytes) {
  std::map<std::pair<std::int64_t, std::int64_t>, Dot> dots;
  for (const GradedSubmission& graded : all) {
    const GradedResult& result = graded.results[item];
    if (result.time_us <= 0.0 || result.bytes <= 0.0) continue;
    const double x = result.time_us / time_us, y = result.bytes / bytes;
    Dot& dot = dots[{std::llround(50.0 * std::log2(x)), std::llround(50.0 * std::log2(y))}];
    if (dot.learners.empty()) dot.time = x, dot.bytes = y;
    dot.learners.push_back(graded.learner);
  }
  std::vector<Dot> out;
  for (auto& [place, dot] : dots) out.push_back(std::move(dot));
  std::stable_sort(out.begin(), out.end(),
                   [](const Dot& a, const Dot& b) { return a.learners.size() > b.learners.size(); });
  return out;
}

std::string plot(const GradedItem& item, const runs::RunRecord& reference,
                 const std::vector<GradedSubmission>& all, std::size_t index) {
  const double time_us = measured(reference, Measure::time), bytes = measured(reference, Measure::bytes);
  const std::string caption = fmt::format("<figcaption>{}</figcaption>", escaped(item.name()));
  if (time_us <= 0.0 || bytes <= 0.0)
    return "<figure>" + caption + "<p class=\"dim\">Its reference has no time.</p></figure>\n";
  const std::vector<Dot> dots = dots_of(all, index, time_us, bytes);
  if (dots.empty()) return "<figure>" + caption + "<p class=\"dim\">Nobody's is right yet.</p></figure>\n";
  double low_x = 1.0, high_x = 1.0, low_y = 1.0, high_y = 1.0;
  for (const Dot& dot : dots) {
    low_x = std::min(low_x, dot.time), high_x = std::max(high_x, dot.time);
    low_y = std::min(low_y, dot.bytes), high_y = std::max(high_y, dot.bytes);
  }
  constexpr double kLeft = 44, kRight = 348, kTop = 12, kBottom = 196;
  const Axis x(low_x, high_x, kLeft, kRight), y(low_y, high_y, kBottom, kTop);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 360 236\" role=\"img\" aria-label=\"{}: modelled time and bytes, beside the reference solution\">",
      escaped(item.name()));
  for (const double tick : x.ticks())
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}x</text>",
        x.at(tick), kTop, kBottom, kBottom + 16, tick);
  for (const double tick : y.ticks())
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}x</text>",
        y.at(tick), kLeft, kRight, kLeft - 5, y.at(tick) + 4, tick);
  for (const Dot& dot : dots) {
    std::string who = joined(dot.learners, ", ");
    if (dot.learners.size() > 8)
      who = joined({dot.learners.begin(), dot.learners.begin() + 8}, ", ") + " ...";
    const auto count = static_cast<double>(dot.learners.size());
    const double radius = std::min(22.0, 4.0 + 2.0 * std::sqrt(count));
    if (count > 1.0)
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x.at(dot.time),
                         y.at(dot.bytes) + radius + 11.0, dot.learners.size());
    svg += fmt::format(
        "<circle class=\"one\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}: time {:.2f}x, bytes {:.2f}x</title></circle>",
        x.at(dot.time), y.at(dot.bytes), radius, escaped(who), dot.time, dot.bytes);
  }
  const double rx = x.at(1.0), ry = y.at(1.0);
  svg += fmt::format(
      "<path class=\"reference\" d=\"M{0:.1f} {2:.1f}L{3:.1f} {1:.1f}L{0:.1f} {4:.1f}L{5:.1f} {1:.1f}Z\"/>"
      "<text class=\"reference-name\" x=\"{0:.1f}\" y=\"{6:.1f}\" text-anchor=\"middle\">reference</text>",
      rx, ry, ry - 9, rx + 9, ry + 9, rx - 9, ry > kTop + 30 ? ry - 14 : ry + 24);
  svg += fmt::format(
      "<text x=\"{}\" y=\"230\" text-anchor=\"middle\">modelled time, reference {}</text>"
      "<text transform=\"translate(11 {}) rotate(-90)\" text-anchor=\"middle\">bytes, reference {}</text></svg>",
      (kLeft + kRight) / 2, time_text(time_us), (kTop + kBottom) / 2, bytes_text(bytes));
  return "<figure>" + caption + svg + "</figure>\n";
}

/// Those of one item, the fastest first.
std::string measured_table(const std::vector<GradedSubmission>& all, std::size_t item) {
  std::vector<const GradedSubmission*> timed;
  for (const GradedSubmission& graded : all)
    if (graded.results[item].measured_us > 0.0) timed.push_back(&graded);
  std::stable_sort(timed.begin(), timed.end(), [&](const GradedSubmission* a, const GradedSubmission* b) {
    return a->results[item].measured_us < b->results[item].measured_us;
  });
  std::string html =
      "<div class=\"wide\"><table><thead><tr><th scope=\"col\">Learner</th><th scope=\"col\" class=\"number\">Measured</th>"
      "<th scope=\"col\" class=\"number\">Modelled</th><th scope=\"col\">Measured on</th></tr></thead><tbody>\n";
  for (const GradedSubmission* graded : timed) {
    const GradedResult& result = graded->results[item];
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
        escaped(graded->learner), time_text(result.measured_us), time_text(result.time_us),
        escaped(result.measured_on));
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string plots_html(const Course& course, const GradedReference& reference,
                       const std::vector<GradedSubmission>& all) {
  std::string html =
      "<h2 id=\"times\">Time and bytes of what is right</h2>\n<p class=\"dim\">At the real shape, as a multiple of the reference solution's. The number at a dot counts its learners.</p>\n<div class=\"plots\">\n";
  for (std::size_t i = 0; i < course.items.size(); ++i)
    if (!course.items[i].variant->program) html += plot(course.items[i], reference.records[i], all, i);
  return html + "</div>\n";
}

std::string measured_html(const Course& course, const std::vector<GradedSubmission>& all) {
  std::string html;
  for (std::size_t i = 0; i < course.items.size(); ++i)
    if (any_measured(all, i))
      html += fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(course.items[i].name()),
                          measured_table(all, i));
  if (html.empty()) return "";
  return "<h2 id=\"measured\">Measured times</h2>\n<p class=\"dim\">At the real shape, on a GPU with cold caches: the median. No mark depends on "
         "them.</p>\n" +
         html;
}

}  // namespace workbook::cli
