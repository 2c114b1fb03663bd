#include "cli/grade/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/format.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

std::string ratio_words(const RatioRule& rule) {
  return fmt::format("{} more by {}: all up to {} times the reference solution's, none from {} times on",
                     rule.points, measure_names()[static_cast<std::size_t>(rule.of)], rule.full, rule.none);
}

}  // namespace

const std::vector<std::string>& measure_names() {
  static const std::vector<std::string> names = {"time",    "bytes",    "reads",    "writes",
                                                 "sectors", "requests", "launches", "barriers"};
  return names;
}

std::string GradedItem::name() const {
  return fmt::format("{:02} {} --{}", puzzle->number, puzzle->declaration.title, variant->name);
}

double Course::most() const {
  double all = 0.0;
  for (const GradedItem& item : items)
    if (!item.bonus) all += item.most();
  return all;
}

std::vector<const Puzzle*> Course::puzzles() const {
  std::vector<const Puzzle*> all;
  for (const GradedItem& item : items)
    if (std::find(all.begin(), all.end(), item.puzzle) == all.end()) all.push_back(item.puzzle);
  return all;
}

std::string Course::words() const {
  std::string out = fmt::format("{}: {} points", name.empty() ? "The course" : name, most());
  double bonus = 0.0;
  for (const GradedItem& item : items) bonus += item.bonus ? item.most() : 0.0;
  if (bonus > 0.0) out += fmt::format(", and {} that can be had on top", bonus);
  out += fmt::format(
      ". Times are those of the modelled GPU {}. Fresh shapes and values come from the seed {}: whoever "
      "grades with it draws the same.\nA submission's compiler and each of its runs may take {} and {} s of a "
      "processor, and {} MB of memory.\n\n",
      gpu, seed, limits.compile_s, limits.run_s, limits.memory_mb);
  if (limits.host_code)
    out +=
        "Submissions may hold host code of their own, which can embellish what is counted: look at numbers that are too good.\n\n";
  Table table({"what", "points", "", "by", "by when"});
  for (const std::size_t column : {2, 3, 4}) table.left(column);
  for (const GradedItem& item : items)
    table.row({item.name(), fmt::format("{}", item.points), item.bonus ? "bonus" : "required",
               item.ratio ? measure_names()[static_cast<std::size_t>(item.ratio->of)] : "right or not",
               item.deadline});
  out += table.text("");
  for (const GradedItem& item : items)
    if (item.ratio) out += fmt::format("{}: {}.\n", item.name(), ratio_words(*item.ratio));
  return out;
}

std::uint64_t seed_from(const std::string& text) {
  return std::stoull(runs::content_hash(text).substr(0, 13), nullptr, 16) | 1;
}

std::string all_that_counts(const Course& course) {
  std::string text =
      fmt::format("gpu {}\nseed {}\nlimits {} {} {}{}\n", course.gpu, course.seed, course.limits.compile_s,
                  course.limits.run_s, course.limits.memory_mb, course.limits.host_code ? " host code" : "");
  for (const GradedItem& item : course.items) {
    text += fmt::format("{} {} {} {} {}", item.puzzle->name, item.variant->name, item.points, item.bonus,
                        item.deadline);
    if (const auto& rule = item.ratio)
      text += fmt::format(" {} {} {} {}", static_cast<int>(rule->of), rule->points, rule->full, rule->none);
    text += '\n';
  }
  return text;
}

Course course_of(const std::vector<const Puzzle*>& puzzles, std::uint64_t seed) {
  Course course;
  for (const Puzzle* puzzle : puzzles)
    for (const VariantInfo& variant : puzzle->declaration.variants)
      if (variant.required)
        course.items.push_back({.puzzle = puzzle, .variant = &variant, .deadline = "", .ratio = {}});
  std::string names;
  for (const Puzzle* puzzle : puzzles) names += puzzle->name + '\n';
  course.seed = seed != 0 ? seed : seed_from(names);
  course.text = all_that_counts(course);
  return course;
}

double measured(const runs::RunRecord& record, Measure what) {
  const auto real = std::find_if(record.benchmarks.begin(), record.benchmarks.end(),
                                 [](const runs::Benchmark& bench) { return bench.name == "real"; });
  if (real == record.benchmarks.end()) return 0.0;
  if (what == Measure::time) return real->modelled_total_us;
  double sum = 0.0;
  for (const runs::LaunchRecord& launch : real->launches) {
    if (!launch.counters) continue;
    const runs::LaunchCounters& counters = *launch.counters;
    switch (what) {
      case Measure::bytes:
        sum += static_cast<double>(counters.dram_bytes_read + counters.dram_bytes_written);
        break;
      case Measure::reads:
        sum += static_cast<double>(counters.dram_bytes_read);
        break;
      case Measure::writes:
        sum += static_cast<double>(counters.dram_bytes_written);
        break;
      case Measure::sectors:
        sum += static_cast<double>(counters.l2_sectors);
        break;
      case Measure::requests:
        sum += static_cast<double>(counters.global_requests);
        break;
      case Measure::launches:
        sum += counters.threads > 0 ? 1.0 : 0.0;
        break;
      case Measure::barriers:
        sum += static_cast<double>(counters.barriers);
        break;
      case Measure::time:
        break;
    }
  }
  return sum;
}

double ratio_points(const RatioRule& rule, double spent, double reference) {
  if (spent <= 0.0 || reference <= 0.0) return spent <= 0.0 && reference <= 0.0 ? rule.points : 0.0;
  const double share = std::clamp((rule.none - spent / reference) / (rule.none - rule.full), 0.0, 1.0);
  return std::round(100.0 * share * rule.points) / 100.0;
}

}  // namespace workbook::cli
