// The repository as the command line sees it: its puzzles (found, never listed), its state folder, the
// current puzzle.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/project/declaration.h"

namespace workbook::cli {

struct Puzzle {
  std::string name;              ///< "22_layernorm_linear"
  int number = 0;                ///< from the folder's name
  std::filesystem::path folder;  ///< puzzles/22_layernorm_linear, absolute
  std::filesystem::path solution;
  Declaration declaration;
  std::string fault;  ///< why the declaration cannot be read; empty when it can

  /// What a learner edits: kernels.cu, or a file for each of several programs.
  std::vector<std::string> files() const;
  std::filesystem::path file(const VariantInfo& variant) const { return folder / variant.file; }
  std::filesystem::path solved_file(const VariantInfo& variant) const { return solution / variant.file; }
  /// The file of the first variant.
  std::filesystem::path kernels() const { return file(first_variant()); }
  const VariantInfo& first_variant() const { return declaration.variants.front(); }
  const VariantInfo* find_variant(std::string_view name) const;
  std::vector<std::string> variant_names() const;
  std::vector<std::filesystem::path> headers()
      const;  ///< what its sources may include, *.cuh and *.h, sorted
  std::filesystem::path mutants_file() const { return folder / "mutants.md"; }
  std::filesystem::path fingerprints_file() const { return folder / "fingerprints.json"; }
};

class Project {
 public:
  /// The repository around the current folder, or $WORKBOOK_ROOT, or the one this program was built in.
  /// Throws UsageError when there is none.
  static Project open();

  const std::filesystem::path& root() const { return root_; }
  const std::filesystem::path& state() const { return state_; }  ///< .workbook, or $WORKBOOK_STATE
  std::filesystem::path runs_file() const { return state_ / "runs.sqlite"; }

  const std::vector<Puzzle>& puzzles() const { return puzzles_; }
  /// By "22", "p22", "puzzle22" or the folder's name; throws UsageError with what was probably meant.
  const Puzzle& puzzle(std::string_view word) const;
  const Puzzle* puzzle_of(int number) const;

  /// As the learner knows it: relative to the repository where it lies in it.
  std::string shown(const std::filesystem::path& file) const;

  /// The puzzle that `watch`, `hint` and `next` without a number mean; the first one on a fresh clone.
  const Puzzle& current() const;
  void set_current(const Puzzle& puzzle) const;

  /// Creates the state folder and makes sure that it can be written. Throws HarnessError saying what to do.
  void prepare_state() const;

 private:
  std::filesystem::path root_, state_;
  std::vector<Puzzle> puzzles_;
};

/// The variant called `word` (with or without dashes); throws UsageError with what was probably meant.
const VariantInfo& variant_of(const Puzzle& puzzle, std::string_view word);

}  // namespace workbook::cli
