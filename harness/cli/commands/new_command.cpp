// `new NN name`: begins a puzzle from the templates in harness/cli/project/template: a vector in, a vector
// out, one thread an element. For whoever writes puzzles.
#include <fmt/format.h>

#include <map>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/declared.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSmallLetters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";

/// From 1 to 99: folders carry two digits.
int number_from(const std::string& word) {
  const bool digits = word.find_first_not_of("0123456789") == std::string::npos;
  const int number = digits && !word.empty() && word.size() <= 2 ? std::stoi(word) : 0;
  if (number == 0) throw UsageError("A puzzle's number is one from 1 to 99, not '" + word + "'.");
  return number;
}

/// Functions, a variant, files and a chapter are called by it.
void check_name(const std::string& name) {
  if (name.empty() || kSmallLetters.find(name.front()) == std::string_view::npos ||
      name.find_first_not_of(kNameLetters) != std::string::npos || name.find("__") != std::string::npos ||
      name.back() == '_')
    throw UsageError(
        "A puzzle's name is of small letters, digits and single underscores, and begins with a letter, such "
        "as matrix_product; not '" +
        name + "'.");
}

void check_free(const Project& project, int number, const std::string& name) {
  for (const Puzzle& puzzle : project.puzzles())
    if (puzzle.number == number || puzzle.name.substr(puzzle.name.find('_') + 1) == name)
      throw UsageError(fmt::format("There is a puzzle of that {} already: {}.",
                                   puzzle.number == number ? "number" : "name",
                                   project.shown(puzzle.folder)));
}

std::string with_words(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, value] : words) {
    const std::string place = '@' + word + '@';
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
      text.replace(at, place.size(), value);
  }
  return text;
}

/// The puzzle before it, whose part it is likely to share and on which it is likely to build; null: there is
/// none.
const Puzzle* before(const Project& project, int number) {
  const Puzzle* found = nullptr;
  for (const Puzzle& puzzle : project.puzzles())
    if (puzzle.number < number && puzzle.fault.empty()) found = &puzzle;
  return found;
}

}  // namespace

int new_command(const Project& project, const std::string& number_word, const std::string& name) {
  const int number = number_from(number_word);
  check_name(name);
  if (project.is_apart() || build::kInstalled)
    throw UsageError("Puzzles are written in a checkout of the workbook: this is a learner's folder.");
  check_free(project, number, name);
  const std::string digits = fmt::format("{:02}", number), folder = digits + '_' + name;
  const std::string spaced = replaced(name, "_", " ");
  std::string title = spaced, capitals = spaced;
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const Puzzle* ground = before(project, number);
  const std::map<std::string, std::string> words = {
      {"NN", digits},
      {"NUMBER", std::to_string(number)},
      {"NAME", name},
      {"FOLDER", folder},
      {"VARIANT", replaced(name, "_", "-")},
      {"VARIANT_TITLE", capitals},
      {"TITLE", title},
      {"PART", ground ? ground->declaration.part : "Part I: fundamentals"},
      {"BEFORE", ground ? std::to_string(ground->number) : ""}};

  const fs::path puzzle = project.root() / "puzzles" / folder;
  const fs::path solution = project.root() / "solutions" / folder;
  const std::vector<std::pair<const char*, fs::path>> files = {
      {"kernels.cu", puzzle / "kernels.cu"},
      {"launches.cu", puzzle / "launches.cu"},
      {"puzzle.cpp", puzzle / "puzzle.cpp"},
      {"hints.md", puzzle / "hints.md"},
      {"mutants.md", puzzle / "mutants.md"},
      {"kernels.cu", solution / "kernels.cu"},
      {"chapter.md", project.root() / "book" / "chapters" / (folder + ".md")}};
  for (const auto& [from, file] : files)
    if (fs::exists(file)) throw UsageError(project.shown(file) + " is there already: nothing was written.");

  project.prepare_state();
  const fs::path templates = fs::path(build::kSourceDir) / "harness" / "cli" / "project" / "template";
  for (const auto& [from, file] : files) {
    write_file(file, with_words(read_file(templates / (std::string(from) + ".in")), words));
    print(project.shown(file) + '\n');
  }
  write_file(puzzle / "declared.json", declare(puzzle, project.state()));
  print(fmt::format(
      "\nNow write the reference in {}, and the region in {}.\n"
      "Then `workbook derive {}` once; `workbook verify {} --solutions` and `workbook mutants {}` check them.\n",
      project.shown(puzzle / "puzzle.cpp"), project.shown(solution / "kernels.cu"), number, number, number));
  return kCorrect;
}

}  // namespace workbook::cli
