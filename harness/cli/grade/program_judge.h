// Puzzles that are programs: what of a submission is put into which program, and how its run on fresh data is
// set beside the solution's. SECURITY.md says what that keeps out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/grade/course.h"
#include "cli/run/execute.h"

namespace workbook::cli {

/// What of a submission's file is the learner's.
enum class LearnersPart {
  regions,  ///< what stands between its markers; the rest is given
  file,     ///< all of it: a program that is to be repaired
  answers,  ///< nothing: the program is given, and asks questions
};
LearnersPart learners_part(const VariantInfo& variant);

/// The program to judge, or a sentence's end that says what keeps it from being judged.
struct ProgramToJudge {
  std::string text;
  std::string refused;
  bool changed_elsewhere = false;  ///< outside of regions, which counts for nothing
};
ProgramToJudge program_to_judge(const Puzzle& puzzle, const VariantInfo& variant,
                                const std::string& handed_in, const std::string& solution);

/// The variant with other data than learners see, drawn from `seed`: what its program is given, and as `text`
/// the program. Nothing where the variant has none.
struct FreshProgram {
  VariantInfo variant;
  std::string text;
  std::string missing;  ///< the text that the program no longer holds; empty: none
};
std::optional<FreshProgram> fresh_program(const VariantInfo& variant, const std::string& text,
                                          std::uint64_t seed);

/// What the fresh variant is to print: the lines of the solution's fresh output, where what is declared is
/// not in it.
void expect_fresh(FreshProgram& fresh, const std::string& seen_output, const std::string& fresh_output,
                  int exit_code);

/// Whether the arrays that reached the host hold the solution's: each of these, of that size, within a tenth
/// of a thousandth where it is float. Empty: yes; else a sentence's end.
std::string differing_results(const VariantInfo& variant, const std::vector<std::string>& got,
                              const std::vector<std::string>& wanted);

/// Bytes that its kernels moved between DRAM and the device, all launches.
std::int64_t moved_bytes(const runs::RunRecord& record);

}  // namespace workbook::cli
