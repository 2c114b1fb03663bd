// What is on record about a learner's puzzles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/project/project.h"
#include "runs/store.h"

namespace workbook::cli {

/// The store to read, if anything was ever recorded.
std::optional<runs::Store> records(const Project& project);

struct VariantProgress {
  const VariantInfo* variant = nullptr;
  std::string state;     ///< "to do", or the verdict of the learner's newest run
  bool done = false;     ///< the newest run is correct
  bool changed = false;  ///< kernels.cu is no longer what that run judged
  std::int64_t run = 0;
};

struct Progress {
  const Puzzle* puzzle = nullptr;
  std::vector<VariantProgress> variants;
  bool done() const;  ///< every required variant is
};

Progress progress_of(const Project& project, const Puzzle& puzzle, const runs::Store* store);

/// A correct run of the variant to compare with: the learner's newest, else the solution's.
std::optional<runs::RunRecord> correct_run(const runs::Store& store, const Puzzle& puzzle,
                                           const std::string& variant, const std::string& backend);

/// Whether all required variants of the puzzle were ever solved.
bool ever_solved(const Puzzle& puzzle, const std::string& variant, const runs::Store* store);

}  // namespace workbook::cli
