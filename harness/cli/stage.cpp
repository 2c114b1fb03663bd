#include "cli/stage.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "cli/text.h"
#include "sim/rewrite.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

void stage_file(const std::string& name, const std::string& text, const std::string& shown, Kind kind,
                const fs::path& folder, Staged& staged) {
  std::string body = text;
  if (kind != Kind::cuda) {
    try {
      body = sim::rewrite_launches(text);
    } catch (const std::runtime_error& error) {
      std::smatch line;
      const std::string what = error.what();
      const bool has_line = std::regex_search(what, line, std::regex(R"((\d+))"));
      staged.errors.push_back({{shown, has_line ? std::atoi(line[1].str().c_str()) : 0}, 0, what});
    }
  }
  const std::string whole = "#line 1 \"" + shown + "\"\n" + body;
  if (read_file_if_any(folder / name) != whole) write_file(folder / name, whole);
  staged.texts += name + '\0' + whole + '\0';
}

}  // namespace

Staged stage(const Project& project, const Puzzle& puzzle, const Source& source, Kind kind,
             const fs::path& folder) {
  Staged staged;
  staged.main = folder / "puzzle.cu";
  std::vector<fs::path> given;
  for (const auto& entry : fs::directory_iterator(puzzle.folder))
    if (entry.path().extension() == ".cuh") given.push_back(entry.path());
  std::sort(given.begin(), given.end());
  for (const fs::path& file : given)
    stage_file(file.filename().string(), read_file(file), project.shown(file), kind, folder, staged);
  const fs::path declaration = puzzle.folder / "puzzle.cu";
  stage_file("puzzle.cu", read_file(declaration), project.shown(declaration), kind, folder, staged);
  stage_file("kernels.cu", source.text, project.shown(source.file), kind, folder, staged);
  return staged;
}

}  // namespace workbook::cli
