// What is on record about a learner's puzzles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/project/project.h"
#include "runs/store.h"

namespace workbook::cli {

/// The store to read, if anything was ever recorded. A damaged one is said so once, on stderr, and the one
/// beside it is read.
std::optional<runs::Store> records(const Project& project);

/// The store to record in, made where there is none; beside a damaged one, which is left as it is.
runs::Store open_store(const Project& project);

struct VariantProgress {
  const VariantInfo* variant = nullptr;
  std::string state;     ///< "to do", or the verdict of the learner's newest run
  bool done = false;     ///< the newest run is correct
  bool changed = false;  ///< its regions, or what stands outside of all, are no longer what that run judged
  std::int64_t run = 0;
};

struct Progress {
  const Puzzle* puzzle = nullptr;
  std::vector<VariantProgress> variants;
  bool done() const;  ///< every required variant is
  const VariantProgress* open_after(
      const std::string& variant) const;  ///< the next one not done, around; null: none
};

Progress progress_of(const Project& project, const Puzzle& puzzle, const runs::Store* store);

/// A correct run of the variant to compare with: the learner's newest, else the solution's.
std::optional<runs::RunRecord> correct_run(const runs::Store& store, const Puzzle& puzzle,
                                           const std::string& variant, runs::Backend backend);

/// The correct runs of the variants that compare with `variant`, itself included, in the declaration's order:
/// the learner's, else the solution's. An old record that cannot be read any more is passed over.
std::vector<runs::RunRecord> correct_runs(const runs::Store& store, const Puzzle& puzzle,
                                          const VariantInfo& variant, runs::Backend backend);

/// What to do after a correct run: the next variant, the comparison, the chapter, the next puzzle. Lines.
std::string what_next(const Progress& progress, const runs::RunRecord& record, std::size_t comparable);

/// Whether the variant of the puzzle was ever solved.
bool ever_solved(const Puzzle& puzzle, const std::string& variant, const runs::Store* store);

}  // namespace workbook::cli
