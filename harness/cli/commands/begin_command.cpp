// `begin FOLDER`: a learner's folder. It holds what a learner writes, and says by a file of its own that it
// is one; all else stays with the program, so that a newer workbook brings newer puzzles to every folder.
// Nothing that is there is ever written over: a second `begin` adds what is missing.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/beginning.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarkText =
    "This is a learner's folder of the GPU puzzle workbook: `workbook` knows it by this file.\n";

constexpr const char* kReadme = R"(# GPU puzzles

My kernels for the GPU puzzle workbook. In this folder:

    workbook              begin, or go on where you were: your code is run at each save
    workbook list         see every puzzle
    workbook run 1        check puzzles/01_map/kernels.cu
    workbook hint 1       get the next hint
    workbook book 1       read the chapter
    workbook reset 1      back to the empty file, keeping a copy of yours
    workbook --help       see the rest

`puzzles/*/` has the files to write, and links to what each puzzle gives beside them. Runs, copies and caches are in
`.workbook/`, which git leaves out. After a clone `workbook begin .` makes the links anew, and
`workbook verify --all` judges every puzzle again, so that the list knows what is solved.
)";

void refuse(const fs::path& folder, const std::string& why) {
  throw UsageError(folder.string() + why + " Nothing was written.");
}

/// Throws UsageError where the folder is somebody else's.
void check_place(const fs::path& folder) {
  std::error_code error;
  if (is_learners(folder) || !fs::exists(fs::symlink_status(folder, error))) return;
  if (!fs::is_directory(folder, error)) refuse(folder, " is no folder.");
  if (is_checkout(folder))
    refuse(folder, " is a checkout of the workbook: its puzzles are there to be solved already.");
  const auto inside = fs::directory_iterator(folder, error);
  if (error) refuse(folder, " cannot be read: " + error.message() + ".");
  // A repository that was just made is empty for its owner.
  const bool has_files =
      std::any_of(fs::begin(inside), fs::end(inside),
                  [](const fs::directory_entry& entry) { return entry.path().filename() != ".git"; });
  if (has_files)
    refuse(folder, " has files, and a learner's folder begins empty. Name a new folder, such as " +
                       (folder / "gpu-puzzles").string() + ".");
}

/// What stands beside a learner's files to be read and included, and is the puzzle's.
std::vector<fs::path> given_files(const Puzzle& puzzle, const std::set<std::string>& own) {
  std::vector<fs::path> files = puzzle.headers();
  std::set<std::string> names = {"launches.cu"};
  for (const VariantInfo& variant : puzzle.declaration.variants)
    if (variant.program) names.insert(variant.program->sources.begin(), variant.program->sources.end());
  for (const std::string& name : names)
    if (!own.contains(name) && fs::exists(puzzle.folder / name)) files.push_back(puzzle.folder / name);
  return files;
}

std::string ignored_by_git(const Project& project) {
  std::string text =
      "# Runs, copies and caches\n/.workbook/\n# Kernels that `workbook optimize` wrote\n/optimized/\n__pycache__/\n"
      "# Links to what the puzzles give\n";
  std::set<std::string> patterns;
  for (const Puzzle& puzzle : project.puzzles())
    if (puzzle.fault.empty())
      for (const fs::path& file : given_files(puzzle, {}))
        patterns.insert(file.extension() == ".cu" && file.filename() != "launches.cu"
                            ? fmt::format("/puzzles/{}/{}\n", puzzle.name, file.filename().string())
                            : "/puzzles/*/" + file.filename().string() + '\n');
  for (const std::string& pattern : patterns) text += pattern;
  return text;
}

/// Makes what is missing in one folder, and counts it.
class Layer {
 public:
  void file(const fs::path& file, const std::string& text) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(file, error))) return;
    write_file(file, text);
    ++made_;
  }

  /// A link is a convenience (editors find what is included): where there cannot be one, nothing is said.
  void link(const fs::path& file, const fs::path& to) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(file, error)) && !fs::exists(file, error))
      fs::remove(file, error);  // ours, to where the workbook was before
    if (!fs::exists(fs::symlink_status(file, error))) fs::create_symlink(to, file, error);
  }

  int made() const { return made_; }

 private:
  int made_ = 0;
};

}  // namespace

int begin_command(const Project& project, const std::string& word) {
  fs::path folder = fs::absolute(word).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // FOLDER/
  const bool again = is_learners(folder);
  check_place(folder);
  Layer layer;
  layer.file(folder / kLearnersMark, kMarkText);  // first: what was begun half can be begun again
  layer.file(folder / "README.md", kReadme);
  layer.file(folder / ".gitignore", ignored_by_git(project));
  for (const Puzzle& puzzle : project.puzzles()) {
    if (!puzzle.fault.empty()) continue;
    const fs::path own = folder / "puzzles" / puzzle.name;
    std::set<std::string> names;
    for (const auto& [name, text] : beginnings_of(project, puzzle)) {
      layer.file(own / name, text);
      names.insert(name);
    }
    for (const fs::path& given : given_files(puzzle, names)) layer.link(own / given.filename(), given);
  }
  if (again && layer.made() == 0) {
    print(folder.string() + " has all that it should: nothing was changed.\n");
    return kCorrect;
  }
  show(fmt::format("{} {}.\n", count_text(layer.made(), "file"),
                   (again ? "added to " : "laid out in ") + folder.string()));
  if (!again)
    print("\n" + paint(Colour::bold, "Go on:") + " cd '" + replaced(folder.string(), "'", "'\\''") +
          "' && workbook run 1\n");
  return kCorrect;
}

}  // namespace workbook::cli
