#include "cli/project/project.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/base/user_cache.h"
#include "cli/project/declared.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) { return is_learners(folder) || is_checkout(folder); }

fs::path find_root(Project::For whom) {
  if (const char* root = std::getenv("WORKBOOK_ROOT"); root && *root) {
    if (!is_root(root))
      throw UsageError(std::string("WORKBOOK_ROOT is '") + root +
                       "', which is no workbook: it has no puzzles and solutions.");
    return fs::absolute(root).lexically_normal();
  }
  std::error_code ignored;
  for (fs::path folder = fs::current_path(ignored); !folder.empty(); folder = folder.parent_path()) {
    if (is_root(folder)) return folder;
    if (folder == folder.root_path()) break;
  }
  if (build::kInstalled && whom == Project::For::learner)
    throw UsageError(
        "This is no learner's folder: `workbook begin FOLDER` makes one, with a file for each puzzle. Run this inside "
        "it, or set WORKBOOK_ROOT to it.");
  if (is_root(build::kSourceDir)) return build::kSourceDir;
  throw UsageError("There is no workbook here: run this inside the repository, or set WORKBOOK_ROOT to it.");
}

fs::path state_of(const fs::path& root) {
  if (const char* state = std::getenv("WORKBOOK_STATE"); state && *state) return fs::absolute(state);
  // Nothing is written to where a package is installed.
  return build::kInstalled && root == build::kSourceDir ? user_cache() / "state" : root / ".workbook";
}

/// "22_layernorm_linear" gives 22; anything else 0.
int number_of(const std::string& name) {
  const std::size_t digits = name.find_first_not_of("0123456789");
  return digits == 0 || digits == std::string::npos || name[digits] != '_' ? 0 : std::atoi(name.c_str());
}

Puzzle found(const fs::path& folder, const Project& project) {
  Puzzle puzzle;
  puzzle.name = folder.filename().string();
  puzzle.number = number_of(puzzle.name);
  puzzle.folder = folder;
  puzzle.own = project.root() / "puzzles" / puzzle.name;
  puzzle.solution = project.given() / "solutions" / puzzle.name;
  return puzzle;
}

void read_declared(Puzzle& puzzle, const Project& project) {
  try {
    puzzle.declaration = read_declaration(declared(puzzle.folder, project.state()));
    const std::vector<std::string>& faults = puzzle.declaration.faults;
    if (!faults.empty())
      puzzle.fault = joined(faults, " ");
    else if (puzzle.declaration.number != puzzle.number)
      puzzle.fault = "Its declaration gives another number than its folder.";
  } catch (const std::runtime_error& error) {
    puzzle.fault = error.what();
  }
}

/// Those with one of the extensions, sorted; none where there is no such folder.
std::vector<fs::path> files_in(const fs::path& folder, std::initializer_list<std::string_view> extensions) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (std::find(extensions.begin(), extensions.end(), entry.path().extension().string()) !=
        extensions.end())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

const VariantInfo* Puzzle::find_variant(std::string_view wanted) const {
  for (const VariantInfo& variant : declaration.variants)
    if (variant.name == wanted) return &variant;
  return nullptr;
}

std::vector<std::string> Puzzle::files() const {
  std::vector<std::string> files;
  for (const VariantInfo& variant : declaration.variants)
    if (std::find(files.begin(), files.end(), variant.file) == files.end()) files.push_back(variant.file);
  return files;
}

std::vector<std::string> Puzzle::variant_names() const {
  std::vector<std::string> names;
  for (const VariantInfo& variant : declaration.variants) names.push_back(variant.name);
  return names;
}

std::vector<fs::path> Puzzle::headers() const { return files_in(folder, {".cuh", ".h"}); }

bool is_learners(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kLearnersMark, ignored);
}

bool is_checkout(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "puzzles", ignored) && fs::is_directory(folder / "solutions", ignored);
}

struct Project::Shelf {
  std::vector<Puzzle> puzzles;
  std::vector<std::once_flag> is_read;
};

Project::Project() : shelf_(std::make_shared<Shelf>()) {}

Project Project::open(For whom) {
  Project project;
  project.root_ = find_root(whom);
  project.given_ = is_learners(project.root_) ? fs::path(build::kSourceDir) : project.root_;
  project.state_ = state_of(project.root_);
  std::vector<Puzzle>& puzzles = project.shelf_->puzzles;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(project.given_ / "puzzles", error))
    if (entry.is_directory() && number_of(entry.path().filename().string()) > 0)
      puzzles.push_back(found(entry.path(), project));
  if (error)
    throw HarnessError((project.given_ / "puzzles").string() + " cannot be read: " + error.message() + ".");
  std::sort(puzzles.begin(), puzzles.end(),
            [](const Puzzle& a, const Puzzle& b) { return a.number < b.number; });
  if (puzzles.empty()) throw HarnessError((project.given_ / "puzzles").string() + " holds no puzzle.");
  project.shelf_->is_read = std::vector<std::once_flag>(puzzles.size());
  return project;
}

const Puzzle& Project::read(std::size_t place) const {
  Puzzle& puzzle = shelf_->puzzles[place];
  std::call_once(shelf_->is_read[place], [&] { read_declared(puzzle, *this); });
  return puzzle;
}

const std::vector<Puzzle>& Project::puzzles() const {
  for (std::size_t i = 0; i < shelf_->puzzles.size(); ++i) read(i);
  return shelf_->puzzles;
}

const Puzzle& Project::puzzle(std::string_view word) const {
  std::string_view wanted = word;
  for (const std::string_view prefix : {"puzzle", "p"})
    if (wanted.starts_with(prefix) && wanted.size() > prefix.size() && wanted[prefix.size()] >= '0' &&
        wanted[prefix.size()] <= '9') {
      wanted.remove_prefix(prefix.size());
      break;
    }
  const bool is_number = !wanted.empty() && wanted.size() < 9 &&
                         wanted.find_first_not_of("0123456789") == std::string_view::npos;
  const int number = is_number ? std::atoi(std::string(wanted).c_str()) : 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shelf_->puzzles.size(); ++i) {
    const Puzzle& puzzle = shelf_->puzzles[i];
    const std::string bare = puzzle.name.substr(puzzle.name.find('_') + 1);
    if (puzzle.number == number || puzzle.name == word || bare == word) {
      read(i);
      if (!puzzle.fault.empty())
        throw HarnessError(shown(puzzle.folder / "puzzle.cpp") + ": " + puzzle.fault);
      return puzzle;
    }
    names.push_back(bare);
    names.push_back(puzzle.name);
  }
  std::string have;
  for (const Puzzle& puzzle : shelf_->puzzles)
    have += (have.empty() ? "" : ", ") + puzzle.name.substr(0, puzzle.name.find('_'));
  throw UsageError("There is no puzzle '" + std::string(word) + "'." +
                   (is_number ? "" : did_you_mean(word, names)) + " There are: " + have +
                   " (`workbook list`).");
}

const Puzzle* Project::puzzle_of(int number) const {
  for (std::size_t i = 0; i < shelf_->puzzles.size(); ++i)
    if (shelf_->puzzles[i].number == number) return &read(i);
  return nullptr;
}

std::string Project::shown(const fs::path& file) const {
  for (const fs::path& folder : {root_, given_}) {
    const fs::path relative = fs::absolute(file).lexically_normal().lexically_relative(folder);
    if (!relative.empty() && *relative.begin() != "..") return relative.string();
  }
  return file.string();
}

fs::path Project::file_of(const std::string& shown) const {
  std::error_code ignored;
  return fs::exists(root_ / shown, ignored) ? root_ / shown : given_ / shown;
}

const Puzzle& Project::current() const {
  if (const auto name = read_file_if_any(state_ / "current"))
    for (std::size_t i = 0; i < shelf_->puzzles.size(); ++i)
      if (shelf_->puzzles[i].name == trimmed(*name)) return read(i);
  return read(0);
}

void Project::set_current(const Puzzle& puzzle) const { write_file(state_ / "current", puzzle.name + "\n"); }

void Project::prepare_state() const {
  std::error_code error;
  fs::create_directories(state_, error);
  if (!error && access(state_.c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    throw HarnessError(
        state_.string() + " cannot be written: " + error.message() +
        ". Runs are built and recorded there: make it writable, or set WORKBOOK_STATE to a folder that is.");
}

const VariantInfo& variant_of(const Puzzle& puzzle, std::string_view word) {
  std::string_view name = word;
  while (name.starts_with('-')) name.remove_prefix(1);
  if (const VariantInfo* variant = puzzle.find_variant(name)) return *variant;
  std::string have;
  for (const std::string& known : puzzle.variant_names()) have += (have.empty() ? "--" : ", --") + known;
  const auto near = closest(name, puzzle.variant_names());
  throw UsageError("Puzzle " + puzzle.name.substr(0, puzzle.name.find('_')) + " has no variant '" +
                   std::string(word) + "'." + (near ? " Did you mean '--" + *near + "'?" : "") +
                   " It has: " + have + ".");
}

}  // namespace workbook::cli
