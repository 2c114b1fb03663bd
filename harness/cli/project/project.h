// The workbook as the command line sees it: its puzzles (found, never listed), the folder that its learner
// works in, its state folder, the current puzzle. In a checkout all of this is one folder. A learner's
// folder, which `workbook begin` makes, holds what a learner writes; what puzzles give stays with the
// program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/project/declaration.h"

namespace workbook::cli {

struct Puzzle {
  std::string name;              ///< "22_layernorm_linear"
  int number = 0;                ///< from the folder's name
  std::filesystem::path folder;  ///< puzzles/22_layernorm_linear, absolute: what it gives
  std::filesystem::path own;     ///< where the learner's files lie: in a checkout the same
  std::filesystem::path solution;
  Declaration declaration;
  std::string fault;  ///< why the declaration cannot be read; empty when it can

  /// What a learner edits: kernels.cu, or a file for each of several programs.
  std::vector<std::string> files() const;
  std::filesystem::path file(const VariantInfo& variant) const { return own / variant.file; }
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
  /// Who asks: one who writes kernels, or one who needs no folder for that (`sim`, `grade`, `begin`).
  enum class For { learner, anyone };

  Project();  ///< of no puzzles

  /// The checkout or learner's folder around the current folder, or $WORKBOOK_ROOT, or the checkout that this
  /// program was built in. An installed program has for anyone its own puzzles, and state in the user's
  /// cache. Throws UsageError when there is none.
  static Project open(For whom = For::learner);

  const std::filesystem::path& root() const { return root_; }    ///< the learner's files
  const std::filesystem::path& given() const { return given_; }  ///< puzzles, solutions: root() in a checkout
  /// Whether root() is a folder that `begin` made, or would have to be.
  bool is_apart() const { return given_ != root_; }
  const std::filesystem::path& state() const { return state_; }  ///< .workbook, or $WORKBOOK_STATE
  std::filesystem::path runs_file() const { return state_ / "runs.sqlite"; }

  /// What a puzzle declares is read when it is first asked for: `sim` wants none of them, `run 22` one.
  const std::vector<Puzzle>& puzzles() const;
  /// By "22", "p22", "puzzle22" or the folder's name; throws UsageError with what was probably meant.
  const Puzzle& puzzle(std::string_view word) const;
  const Puzzle* puzzle_of(int number) const;

  /// As the learner knows it: relative to root() or given() where it lies in one of them.
  std::string shown(const std::filesystem::path& file) const;
  /// The file that is shown so.
  std::filesystem::path file_of(const std::string& shown) const;

  /// The puzzle that `watch`, `hint` and `next` without a number mean; the first one on a fresh clone.
  const Puzzle& current() const;
  void set_current(const Puzzle& puzzle) const;

  /// Creates the state folder and makes sure that it can be written. Throws HarnessError saying what to do.
  void prepare_state() const;

 private:
  struct Shelf;
  const Puzzle& read(std::size_t place) const;

  std::filesystem::path root_, given_, state_;
  std::shared_ptr<Shelf> shelf_;
};

/// The file that says of a folder that `begin` made it, and that the learner keeps with what they write.
inline constexpr const char* kLearnersMark = ".workbook-folder";
bool is_learners(const std::filesystem::path& folder);
/// Whether the folder is a checkout, as far as puzzles go.
bool is_checkout(const std::filesystem::path& folder);

/// The variant called `word` (with or without dashes); throws UsageError with what was probably meant.
const VariantInfo& variant_of(const Puzzle& puzzle, std::string_view word);

}  // namespace workbook::cli
