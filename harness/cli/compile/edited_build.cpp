#include "cli/compile/edited_build.h"

#include <map>
#include <mutex>
#include <set>

#include "cli/base/build_config.h"
#include "cli/base/file_lock.h"
#include "cli/base/text.h"
#include "cli/compile/elf_symbols.h"
#include "cli/compile/simulator_toolchain.h"
#include "cli/compile/stage.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words texts_of_headers(const Puzzle& puzzle) {
  Words texts;
  for (const fs::path& header : puzzle.headers()) texts.push_back(read_file(header));
  return texts;
}

/// Of the simulator's program; none where the rest of the source changes, too.
Words kernels_that_differ(const Puzzle& puzzle, const Source& source) {
  const std::string launches = read_file(puzzle.folder / "launches.cu");
  const Words headers = texts_of_headers(puzzle);
  const sim::Surroundings around{launches, {headers.begin(), headers.end()}};
  return sim::changed_kernels(source.edit_of, source.text, around).value_or(Words());
}

/// As they are named in C++: those that the program launches, of a template all that are defined.
Words instances(const Words& kernels, const std::set<std::string>& defined) {
  Words names;
  for (const std::string& kernel : kernels)
    for (const std::string& function : defined)
      if (function == kernel || function.starts_with(kernel + "<")) names.push_back(function);
  return names;
}

bool compile(const Project& project, Words command, const fs::path& file, const fs::path& object) {
  append(command,
         {"-iquote", file.parent_path().string(), "-x", "c++", "-c", file.string(), "-o", object.string()});
  return run_compiler(command, project.root(), {.wall = kCompileLimit}).ok();
}

/// The object of all of it as it was, for one variant; empty when it does not compile.
fs::path made_object_before(const Project& project, const Puzzle& puzzle, const Source& source,
                            const Words& command) {
  const Source whole{runs::kSolution, source.file, sim::unchanged_kernels(source.edit_of),
                     "edited-" + source.variant, source.variant};
  const fs::path folder = build_folder(project, puzzle, whole);
  const FileLock lock(folder / "lock");
  const Staged staged = stage(project, puzzle, whole, Kind::sim_diagnosing, folder);
  const fs::path object = folder / "launches.o";
  const std::string key = build_key(staged.texts, command, {});
  std::error_code error;
  if (read_file_if_any(folder / "key") == key && fs::exists(object, error)) return object;
  fs::remove(folder / "key", error);
  if (!staged.errors.empty() || !compile(project, command, staged.main, object)) return {};
  write_file(folder / "key", key);
  return object;
}

struct Before {
  fs::path object;                  ///< empty when it does not compile
  std::set<std::string> functions;  ///< that it defines
};

/// The same for every edit of one source: a puzzle has a hundred, and to look whether its files are as they
/// were takes as long as to stage them.
Before object_before(const Project& project, const Puzzle& puzzle, const Source& source,
                     const Words& command) {
  static std::mutex mutex;
  static std::map<std::string, Before> made;
  const std::string name = joined({puzzle.name, source.variant, joined(command, " "), source.edit_of}, "\n");
  {
    const std::lock_guard lock(mutex);
    if (const auto found = made.find(name); found != made.end()) return found->second;
  }
  Before before{made_object_before(project, puzzle, source, command), {}};
  if (!before.object.empty()) before.functions = defined_functions(before.object);
  const std::lock_guard lock(mutex);
  return made[name] = before;
}

/// The declaration and what `libraries` have for it in one object, made once for all edits of a puzzle. Empty
/// where the linker cannot.
fs::path made_rest(const Project& project, const Puzzle& puzzle, const fs::path& declaration,
                   const Words& libraries) {
  static std::mutex mutex;
  static std::map<std::string, fs::path> made;
  Words joined = {declaration.string()};
  append(joined, libraries);
  const std::lock_guard one(mutex);
  const auto [place, is_new] = made.try_emplace(puzzle.name);
  if (!is_new) return place->second;
  const fs::path folder = project.state() / "build" / puzzle.name / "edited";
  const FileLock lock(folder / "lock");
  const fs::path object = folder / "rest.o";
  const std::string key = build_key("", {build::kCxx}, joined);
  std::error_code error;
  if (read_file_if_any(folder / "key") != key || !fs::exists(object, error)) {
    fs::remove(folder / "key", error);
    if (!join_libraries(project, build::kCxx, joined, object)) return {};
    write_file(folder / "key", key);
  }
  return place->second = object;
}

}  // namespace

bool build_edited(const Project& project, const Puzzle& puzzle, const Source& source, const Words& command,
                  const fs::path& declaration, const Words& libraries, const fs::path& child) {
  if (source.edit_of.empty()) return false;
  const Words differ = kernels_that_differ(puzzle, source);
  if (differ.empty()) return false;
  const Before before = object_before(project, puzzle, source, command);
  if (before.object.empty()) return false;
  const Words kernels = instances(differ, before.functions);
  if (kernels.empty()) return false;
  const fs::path folder = child.parent_path(), changed = folder / "changed_kernels.o";
  if (!compile(project, command, stage_kernels(puzzle, source, kernels, folder), changed)) return false;
  // Of a function that both define, the first one's is the program's.
  Words link = {"-Wl,-z,muldefs"};
  const fs::path rest = made_rest(project, puzzle, declaration, libraries);
  link.push_back((rest.empty() ? declaration : rest).string());
  append(link, libraries);
  return link_for_simulator(project, build::kCxx, {changed, before.object}, link, child).empty();
}

std::optional<sim::EditedProgram> edited_program_of(const Puzzle& puzzle, const Source& source) {
  if (source.edit_of.empty()) return std::nullopt;
  const Words headers = texts_of_headers(puzzle);
  return sim::edited_program(source.edit_of, source.text, {headers.begin(), headers.end()});
}

}  // namespace workbook::cli
