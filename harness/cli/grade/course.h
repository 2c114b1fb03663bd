// What a course asks for: course.toml, as `workbook grade` reads it. The book's chapter for instructors and
// `workbook grade --help` say what may stand in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/grade/slurm_script.h"
#include "cli/project/project.h"
#include "runs/record.h"

namespace workbook::cli {

/// What of a run may be set beside the reference solution's.
enum class Measure { time, bytes, reads, writes, sectors, requests, launches, barriers };
const std::vector<std::string>& measure_names();  ///< in the order of Measure

/// Points for how much a right solution takes of something, as a ratio to the reference solution's: all up to
/// `full`, none from `none` on, in between in proportion.
struct RatioRule {
  Measure of = Measure::time;
  double points = 0.0, full = 1.0, none = 2.0;
};

/// One variant of one puzzle: what a mark is given for.
struct GradedItem {
  const Puzzle* puzzle = nullptr;
  const VariantInfo* variant = nullptr;
  double points = 1.0;
  bool bonus = false;    ///< on top of what can be had
  std::string deadline;  ///< as it is to be shown; nothing goes by it
  std::optional<RatioRule> ratio;

  double most() const { return points + (ratio ? ratio->points : 0.0); }
  std::string name() const;  ///< "22 LayerNorm + Linear --fused"
};

/// What a submission's compiler and program may use.
struct CourseLimits {
  int compile_s = 120, run_s = 120;  ///< of a processor
  int memory_mb = 4096;
  bool host_code = false;  ///< submissions may hold what kernels do not need (host_code.h)
};

struct Course {
  std::string name;
  std::string gpu = "h200";
  std::uint64_t seed = 0;  ///< never 0
  CourseLimits limits;
  std::vector<GradedItem> items;
  SlurmTable slurm;  ///< no mark depends on it
  std::string text;  ///< all that marks depend on

  double most() const;  ///< points of the required items
  std::vector<const Puzzle*> puzzles() const;
  /// What it means, for who wrote it.
  std::string words() const;
};

/// Throws UsageError with file and line, and what was probably meant. `seed` 0: the file's, else one that is
/// drawn from its text.
Course read_course(const Project& project, const std::filesystem::path& file, std::uint64_t seed);

/// The required variants of these puzzles, a point each.
Course course_of(const std::vector<const Puzzle*>& puzzles, std::uint64_t seed);

/// A number that whoever has the same text draws, too. Below 2^53: it travels in JSON.
std::uint64_t seed_from(const std::string& text);

/// Everything that a mark depends on, in one order.
std::string all_that_counts(const Course& course);

/// Of the benchmark at the real shape; 0 where it was not counted.
double measured(const runs::RunRecord& record, Measure what);

/// From 0 to the rule's points, in hundredths.
double ratio_points(const RatioRule& rule, double spent, double reference);

}  // namespace workbook::cli
