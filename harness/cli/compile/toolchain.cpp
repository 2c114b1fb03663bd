#include "cli/compile/toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/compiler_output.h"
#include "cli/compile/device_calls.h"
#include "cli/compile/edited_build.h"
#include "cli/compile/kernel_faults.h"
#include "cli/compile/op_library.h"
#include "cli/compile/precompiled.h"
#include "cli/compile/simulator_toolchain.h"
#include "cli/compile/stage.h"
#include "cli/project/declared.h"
#include "cli/project/progress.h"
#include "runs/pattern.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words includes(std::string_view list) {
  Words words;
  for (const std::string& folder : split_list(list)) words.push_back("-I" + folder);
  return words;
}

const char* folder_name(Kind kind) {
  switch (kind) {
    case Kind::sim_diagnosing:
      return "sim-diag";
    case Kind::sim_fast:
      return "sim-fast";
    case Kind::cuda:
      return "cuda";
  }
  return "";
}

/// `apart`: a stranger's kernels, which their judge shares no process with.
Words libraries(Kind kind, bool apart = false) {
  const Words words =
      built_libraries(kind == Kind::cuda ? (apart ? build::kCudaKernelsLibraries : build::kCudaLibraries)
                                         : (apart ? build::kKernelsLibraries : build::kSimLibraries));
  if (words.empty())
    throw HarnessError(
        kind == Kind::cuda
            ? "This workbook was built without the GPU backend: build it where the CUDA Toolkit is."
            : "This workbook was built without the simulator.");
  return words;
}

/// The learner's own file: what the puzzle gives is not theirs to mend.
std::vector<WrittenSource> learners(const Staged& staged, const Source& source, const Project& project) {
  std::vector<WrittenSource> files;
  for (const WrittenSource& file : staged.sources)
    if (file.file == project.shown(source.file)) files.push_back(file);
  return files;
}

/// What nvcc would refuse of the learner's object.
Build refused_build(const Project& project, const Staged& staged, const fs::path& object) {
  std::vector<ProgramSource> sources;
  for (const WrittenSource& file : staged.sources) sources.push_back({file.file, file.written});
  Build build;
  build.compile_errors = refused_calls({object}, sources, project.root(), false);
  build.diagnostics = describe(build.compile_errors, sources);
  return build;
}

Build failed(const ProcessResult& result, const Staged& staged, const Puzzle& puzzle, const Source& source,
             const Project& project) {
  if (source.confined_by != nullptr && source.confined_by->failed(result.output))
    throw HarnessError("The compiler could not be started: " + result.output);
  const std::vector<WrittenSource> own = learners(staged, source, project);
  CompilerOutput read = read_compiler_output(result.output, own);
  const auto launches =
      std::find_if(staged.sources.begin(), staged.sources.end(),
                   [](const WrittenSource& file) { return file.file.ends_with("/launches.cu"); });
  if (!own.empty() && launches != staged.sources.end())
    name_kernel_faults(read, own.front(), solved_kernels(puzzle), *launches);
  Build build;
  build.compile_errors = read.errors;
  build.diagnostics = read.text.empty() ? result.output : read.text;
  if (source.confined_by != nullptr && (met_limit(result) || build.compile_errors.empty())) {
    const std::string met = met_limit(result) ? "the compiler met a limit of " + source.confined_by->words()
                                              : "the compiler failed";
    build.compile_errors = {{{project.shown(source.file), 0}, 0, met}};
    build.diagnostics = project.shown(source.file) + ": error: " + met + "\n";
  }
  if (build.compile_errors.empty())
    build.compile_errors.push_back(
        {{project.shown(source.file), 0},
         0,
         result.timed_out ? "the compiler met its limit of 20 minutes" : "the compiler failed"});
  return build;
}

/// What a stranger's object holds, and no kernel needs.
Build refused_object(const Project& project, const Source& source, const std::string& what) {
  Build build;
  const std::string where = project.shown(source.file);
  build.diagnostics = where + ": error: " + what + "\n";
  build.compile_errors.push_back({{where, 0}, 0, what});
  return build;
}

/// A stranger's code may hold symbols that are the workbook's.
Build unlinked(const Project& project, const Source& source, const std::string& trouble) {
  static const runs::Pattern kAbout("(undefined reference to|multiple definition of) [`'][^']*'");
  Build build;
  const std::string where = project.shown(source.file);
  std::string what = "it does not link with the workbook";
  if (const auto found = kAbout.search(trouble)) what += ": " + (*found)[0];
  build.diagnostics = where + ": error: " + what + "\n";
  build.compile_errors.push_back({{where, 0}, 0, what});
  return build;
}

Build build_for_simulator(const Project& project, const Puzzle& puzzle, const Source& source,
                          const Staged& staged, Kind kind, const fs::path& declaration, Words command,
                          const Words& libs, const fs::path& child, const std::atomic<bool>* cancel) {
  const fs::path folder = child.parent_path();
  const fs::path object = folder / "launches.o";
  if (const fs::path header = precompiled_header(project, command, puzzle_prelude(puzzle)); !header.empty())
    append(command, {"-include", header.string()});
  if (kind == Kind::sim_diagnosing &&
      build_edited(project, puzzle, source, command, declaration, libs, child)) {
    Build build;
    build.child = child;
    return build;
  }
  append(command,
         {"-iquote", folder.string(), "-x", "c++", "-c", staged.main.string(), "-o", object.string()});
  const auto compile = [&] {
    return run_compiler(command, project.root(), {.wall = kCompileLimit, .cancel = cancel},
                        source.confined_by, {{}, {folder}});
  };
  ProcessResult compiled = compile();
  if (source.confined_by != nullptr && compiled.killed_by_others())
    compiled = compile();  // phase.cpp says why
  if (!compiled.ok()) return failed(compiled, staged, puzzle, source, project);
  if (source.confined_by != nullptr)
    if (const std::string what = source.confined_by->refuses(object, {}); !what.empty())
      return refused_object(project, source, what);
  if (kind == Kind::sim_diagnosing)
    if (Build refused = refused_build(project, staged, object); !refused.compile_errors.empty())
      return refused;

  std::vector<fs::path> objects = {object};
  if (!declaration.empty()) objects.push_back(declaration);
  if (const std::string trouble =
          link_for_simulator(project, build::kCxx, objects, libs, child, source.confined_by);
      !trouble.empty()) {
    if (source.confined_by == nullptr && libs.size() < split_list(build::kSimLibraries).size())
      throw Elsewhere{"workbook_more"};
    if (source.confined_by == nullptr) throw HarnessError("The learner's program does not link:\n" + trouble);
    if (source.confined_by->failed(trouble))
      throw HarnessError("The linker could not be started: " + trouble);
    return unlinked(project, source, trouble);
  }
  Build build;
  build.child = child;
  if (kind == Kind::sim_diagnosing)
    build.warnings = read_compiler_output(compiled.output, learners(staged, source, project)).warnings;
  return build;
}

Build build_for_cuda(const Project& project, const Puzzle& puzzle, const Source& source, const Staged& staged,
                     const fs::path& declaration, Words command, const Words& libs, const fs::path& child) {
  const fs::path draft = child.parent_path() / "child.new";
  append(command, {staged.main.string(), "-o", draft.string()});
  if (!declaration.empty()) command.push_back(declaration.string());
  append(command, libs);
  Reachable reachable;
  if (source.confined_by != nullptr) {
    std::error_code error;
    reachable = {files_among(command), {child.parent_path()}};
    reachable.read.push_back(
        fs::canonical(command.front(), error).parent_path().parent_path());  // the toolkit
  }
  const ProcessResult result =
      run_compiler(command, project.root(), {.wall = kCompileLimit}, source.confined_by, reachable);
  if (!result.ok()) return failed(result, staged, puzzle, source, project);
  fs::rename(draft, child);
  Build build;
  build.child = child;
  return build;
}

/// The library of `build_key` in `folder`, where nothing has changed since it was made.
std::optional<Build> kept_build(const fs::path& folder, const fs::path& product, const std::string& key) {
  std::error_code error;
  if (read_file_if_any(folder / "key") != key || !fs::exists(product, error)) return std::nullopt;
  Build build;
  build.child = product;
  build.warnings = read_file_if_any(folder / "warnings").value_or("");
  return build;
}

Build refused(const Staged& staged) {
  Build build;
  build.compile_errors = staged.errors;
  for (const runs::CompileError& error : staged.errors)
    build.diagnostics +=
        error.at.file + ":" + std::to_string(error.at.line) + ": error: " + error.message + "\n";
  return build;
}

}  // namespace

Source source_from(const std::string& origin, const fs::path& file) {
  return {origin, file, read_file(file), origin};
}

Source learner_source(const Project& project, const Puzzle& puzzle, const VariantInfo& variant) {
  const fs::path file = puzzle.file(variant);
  std::error_code error;
  if (fs::exists(file, error)) return source_from(runs::kLearner, file);
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  filter.origin = runs::kLearner;
  std::int64_t newest = 0;  // of the runs of this file
  if (const auto store = records(project))
    for (const runs::RunHeader& run : store->list(filter))
      if (const VariantInfo* ran = puzzle.find_variant(run.variant); ran && ran->file == variant.file)
        newest = std::max(newest, run.id);
  const std::string number = std::to_string(puzzle.number);
  throw UsageError(
      project.shown(file) + " is gone." +
      (newest > 0 ? " `workbook restore " + std::to_string(newest) + "` brings back what you ran last, and"
                  : "") +
      " `workbook reset " + number + "` " + (newest > 0 ? "the skeleton." : "brings back the skeleton."));
}

fs::path build_folder(const Project& project, const Puzzle& puzzle, const Source& source) {
  return project.state() / "build" / puzzle.name / source.workplace;
}

std::string find_tool(const std::string& tool, const fs::path& first, const fs::path& last) {
  const char* const path = std::getenv("PATH");
  std::vector<fs::path> folders = {first};
  for (const std::string& folder : split_list(replaced(path ? path : "", ":", ";")))
    folders.push_back(folder);
  folders.push_back(last);
  for (const fs::path& folder : folders)
    if (!folder.empty() && access((folder / tool).c_str(), X_OK) == 0) return (folder / tool).string();
  return "";
}

std::string find_nvcc() {
  if (const char* chosen = std::getenv("WORKBOOK_NVCC"); chosen && *chosen) return chosen;
  std::error_code error;
  if (*build::kNvcc != '\0' && fs::exists(build::kNvcc, error)) return build::kNvcc;
  return find_tool("nvcc", "", "/usr/local/cuda/bin");
}

std::vector<std::string> compile_command(Kind kind, const std::string& architecture) {
  if (kind == Kind::cuda) {
    Words words = {find_nvcc(), "-std=c++20", "-O3", "-lineinfo", "-arch=" + architecture};
    append(words, includes(build::kCudaIncludes));
    return words;
  }
  const bool diagnosing = kind == Kind::sim_diagnosing;
  Words words = simulator_compiler(build::kCxx, diagnosing);
  words.push_back("-std=c++20");
  // The standard library's special functions (zeta, Legendre ...), which are compiled anew in every program
  // that includes <cmath>, a quarter of the time. No kernel can call them.
  words.push_back("-D_GLIBCXX_BITS_SPECFUN_H");
  // Partly initialised vectors (float4{x}) and pragmas for nvcc are ordinary in CUDA; what g++ takes and nvcc
  // does not is an error here, too. A variable that is used before it is set holds neither zero nor luck: the
  // pattern makes the result wrong, every time (report_findings.cpp knows it).
  if (diagnosing)
    append(words, {"-Werror=vla", "-Werror=pointer-arith", "-ftrivial-auto-var-init=pattern", "-Wall",
                   "-Wextra", "-Wdouble-promotion", "-Wno-unused-parameter",
                   "-Wno-missing-field-initializers", "-Wno-unknown-pragmas"});
  append(words, includes(build::kSimIncludes));
  return words;
}

Build build_child(const Project& project, const Puzzle& puzzle, const Source& source, Kind kind,
                  const std::string& architecture, const std::atomic<bool>* cancel) {
  const fs::path folder = build_folder(project, puzzle, source) / folder_name(kind);
  const Staged staged = stage(project, puzzle, source, kind, folder);
  if (!staged.errors.empty()) return refused(staged);
  const Words command = compile_command(kind, architecture);
  const Words libs = libraries(kind, source.confined_by != nullptr);
  fs::path declaration;
  Words linked = libs;
  if (source.confined_by == nullptr) {
    declaration = declaration_object(puzzle.folder, project.state());
    linked.push_back(declaration.string());
  }
  const std::string key = build_key(staged.texts + source.edit_of, command, linked);
  const fs::path child = folder / "child";
  if (auto kept = kept_build(folder, child, key)) return *kept;
  std::error_code error;
  fs::remove(folder / "key", error);
  const Build build = kind == Kind::cuda
                          ? build_for_cuda(project, puzzle, source, staged, declaration, command, libs, child)
                          : build_for_simulator(project, puzzle, source, staged, kind, declaration, command,
                                                libs, child, cancel);
  if (build.ok()) {
    write_file(folder / "warnings", build.warnings);
    write_file(folder / "key", key);
  }
  return build;
}

Build build_op_library(const Project& project, const Puzzle& puzzle, const Source& source,
                       const std::string& architecture) {
  const Words libs = split_list(build::kOpLibraries);
  if (libs.empty()) libraries(Kind::cuda);  // says what is missing
  const fs::path folder = build_folder(project, puzzle, source) / "op";
  const Staged staged = stage(project, puzzle, source, Kind::cuda, folder);
  if (!staged.errors.empty()) return refused(staged);
  Words command = compile_command(Kind::cuda, architecture);
  append(command, {"-shared", "-Xcompiler=-fPIC"});
  const fs::path declaration = declaration_object(puzzle.folder, project.state());
  Words linked = libs;
  linked.push_back(declaration.string());
  const std::string key = build_key(staged.texts, command, linked);
  // A name of its own each time: Python keeps the one that it has loaded.
  const fs::path library = folder / ("kernels-" + runs::content_hash(key).substr(0, 12) + ".so");
  if (auto kept = kept_build(folder, library, key)) return *kept;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".so") fs::remove(entry.path(), error);
  fs::remove(folder / "key", error);
  const Build build = build_for_cuda(project, puzzle, source, staged, declaration, command, libs, library);
  if (build.ok()) write_file(folder / "key", key);
  return build;
}

}  // namespace workbook::cli
