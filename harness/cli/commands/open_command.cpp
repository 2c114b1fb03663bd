// `view` and `book`: hand over to the viewer, and to a browser with the chapter.
#include <cstdlib>

#include "cli/base/attached_process.h"
#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/commands/commands.h"
#include "cli/commands/viewer_path.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

void run_to_end(const std::vector<std::string>& command, const fs::path& folder) {
  std::string line = "cd '" + folder.string() + "' &&";
  for (const std::string& word : command) line += " '" + word + "'";
  if (std::system(line.c_str()) != 0) throw HarnessError(command[0] + " failed: its words above say why.");
}

}  // namespace

fs::path viewer_program() {
  std::error_code ignored;
  return fs::exists(build::kViewer, ignored) ? build::kViewer : fs::path();
}

int view_command(const Project& project, const std::string& word, const std::vector<std::string>& arguments) {
  const Puzzle& puzzle = word.empty() ? project.current() : project.puzzle(word);
  fs::path program = viewer_program();
  if (program.empty()) {
    if (build::kInstalled) throw HarnessError("This workbook was installed without the viewer.");
    print_error("Building the viewer first.\n");
    run_to_end({"cmake/build.sh", "viewer"}, build::kSourceDir);
    program = viewer_program();
    if (program.empty()) throw HarnessError("The viewer was built and is not where it should be.");
  }
  setenv("WORKBOOK_ROOT", project.root().c_str(), 1);
  if (project.is_apart())  // the viewer runs puzzles by it, and a learner's folder has no bin/workbook
    setenv("WORKBOOK", (fs::path(build::kSourceDir) / "bin" / "workbook").c_str(), 1);
  setenv("WORKBOOK_STATE", project.state().c_str(), 1);
  std::vector<std::string> command = {program.string()};
  if (!word.empty()) command.insert(command.end(), {"--puzzle", std::to_string(puzzle.number)});
  command.insert(command.end(), arguments.begin(), arguments.end());
  become(command);
}

int book_command(const Project& project, const std::string& word) {
  const Puzzle& puzzle = word.empty() ? project.current() : project.puzzle(word);
  const fs::path site = build::kBook;
  std::error_code ignored;
  if (!fs::exists(site / "index.html", ignored)) {
    if (build::kInstalled) throw HarnessError("This workbook was installed without its book.");
    // At once: drawing the pictures takes minutes, and `make book` does that too.
    run_to_end({"cmake/setup.sh", "book"}, build::kSourceDir);
    run_to_end({"book/build.sh", "--text"}, build::kSourceDir);
  }
  fs::path page = site / puzzle.name / "index.html";
  if (!fs::exists(page, ignored)) page = site / (puzzle.name + ".html");
  if (!fs::exists(page, ignored)) page = site / "index.html";
  const bool graphical = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  if (!graphical || !stdout_is_terminal()) {
    print(page.string() + '\n');
    return kCorrect;
  }
  become({"xdg-open", page.string()});
}

}  // namespace workbook::cli
