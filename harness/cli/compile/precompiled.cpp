#include "cli/compile/precompiled.h"

#include <unistd.h>

#include <set>

#include "cli/base/build_key.h"
#include "cli/base/file_lock.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/cache.h"
#include "cli/compile/simulator_toolchain.h"
#include "runs/pattern.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeaders = 8;

/// Standard headers that CUDA's runtime brings, and some of a page. A puzzle that includes nothing else has
/// the precompiled header of those that include nothing.
constexpr const char* kWithTheRuntime[] = {"algorithm", "array",   "cfloat",  "climits",    "cmath",
                                           "cstddef",   "cstdint", "cstdio",  "cstdlib",    "cstring",
                                           "limits",    "math.h",  "utility", "type_traits"};

std::set<std::string> angled_names(const std::vector<fs::path>& files) {
  static const runs::Pattern kInclude(R"(^[ \t]*#[ \t]*include[ \t]*<([^>]+)>)");
  std::set<std::string> names;
  for (const fs::path& file : files)
    for (const std::string& line : lines_of(read_file_if_any(file).value_or("")))
      if (const auto found = kInclude.search(line)) names.insert((*found)[1]);
  return names;
}

std::string lines_including(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += "#include <" + name + ">\n";
  return text;
}

}  // namespace

std::string angled_includes(const std::vector<fs::path>& files) {
  return lines_including(angled_names(files));
}

std::string puzzle_prelude(const Puzzle& puzzle) {
  std::vector<fs::path> files = puzzle.headers();
  files.push_back(puzzle.folder / "launches.cu");
  files.push_back(puzzle.solution / "kernels.cu");
  std::set<std::string> names = angled_names(files);
  for (const char* known : kWithTheRuntime) names.erase(known);
  names.insert({"cuda_runtime.h", "workbook/run.h"});
  return lines_including(names);
}

fs::path precompiled_header(const Project& project, const std::vector<std::string>& command,
                            const std::string& text) {
  // One folder a set of flags: up to 60 MB each, so an outdated one is replaced, and few are kept.
  const fs::path folder =
      project.state() / "cache" / ("prelude-" + runs::content_hash(text + joined(command, " ")));
  const fs::path header = folder / "prelude.h";
  const fs::path compiled = folder / "prelude.h.gch";
  const std::string key = build_key(text, command, {command.front()});
  std::error_code error;
  const auto is_current = [&] {
    if (!fs::exists(compiled, error) || read_file_if_any(folder / "key") != key) return false;
    mark_used(folder);
    return true;
  };
  if (is_current()) return header;
  const FileLock lock(folder / "lock");  // another run may be making it
  if (is_current()) return header;
  fs::remove(folder / "key", error);
  prune(project.state() / "cache", "prelude-", kMostHeaders, std::chrono::hours(24));
  write_file(header, text);
  std::vector<std::string> precompile = command;
  if (is_clang(command.front()))
    precompile.emplace_back("-fpch-instantiate-templates");  // once, and not by each program
  const fs::path draft = folder / ("prelude.gch.new-" + std::to_string(getpid()));
  for (const std::string& word :
       {std::string("-x"), std::string("c++-header"), header.string(), std::string("-o"), draft.string()})
    precompile.push_back(word);
  const ProcessResult made = run_process(precompile, project.root(), {});
  if (!made.ok()) return {};
  fs::rename(draft, compiled);
  write_file(folder / "key", key);
  mark_used(folder);
  return header;
}

}  // namespace workbook::cli
