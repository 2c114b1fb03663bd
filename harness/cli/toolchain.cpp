#include "cli/toolchain.h"

#include <unistd.h>

#include <cstdlib>

#include "cli/build_config.h"
#include "cli/compiler_output.h"
#include "cli/elf_symbols.h"
#include "cli/errors.h"
#include "cli/precompiled.h"
#include "cli/process.h"
#include "cli/stage.h"
#include "cli/text.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kCompileLimit = std::chrono::minutes(3);
constexpr std::size_t kSharedBytes =
    227 * 1024;  // the most dynamic shared memory a block of the GPU table has

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Words split(std::string_view list) {
  Words parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

Words includes(std::string_view list) {
  Words words;
  for (const std::string& folder : split(list)) words.push_back("-I" + folder);
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

Words libraries(Kind kind) {
  const Words words = split(kind == Kind::cuda ? build::kCudaLibraries : build::kSimLibraries);
  if (words.empty())
    throw HarnessError(
        kind == Kind::cuda
            ? "This workbook was built without the GPU backend: build it where the CUDA Toolkit is."
            : "This workbook was built without the simulator.");
  return words;
}

/// Sources, flags and the very libraries: when the key is the same, so is the program.
std::string key_of(const Staged& staged, const Words& command, const Words& libs) {
  std::string key = staged.texts + joined(command, " ");
  for (const std::string& library : libs) {
    std::error_code error;
    const auto time = fs::last_write_time(library, error);
    key += '\n' + library + (error ? "" : ' ' + std::to_string(time.time_since_epoch().count()));
  }
  return runs::content_hash(key);
}

/// CUDA lays every `extern __shared__` array of a block on one address; so does this object. Its symbols are
/// weak, and it is linked last, because the simulator's own variables (threadIdx) are thread-local too.
fs::path shared_memory_stub(const Project& project, const Words& names) {
  std::string text = ".section .tbss,\"awT\",@nobits\n.balign 64\n";
  for (const std::string& name : names)  // by its size the simulator knows a dynamic array from a static one
    text += ".weak " + name + "\n.type " + name + ", @tls_object\n.size " + name + ", " +
            std::to_string(kSharedBytes) + "\n" + name + ":\n";
  text += ".zero " + std::to_string(kSharedBytes) + "\n.section .note.GNU-stack,\"\",@progbits\n";
  const fs::path file = project.state() / "cache" / ("shared-" + runs::content_hash(text) + ".s");
  if (!fs::exists(file)) write_file(file, text);
  return file;
}

Build failed(const ProcessResult& result, const Source& source, const Project& project) {
  const CompilerOutput read = read_compiler_output(result.output, project.shown(source.file));
  Build build;
  build.compile_errors = read.errors;
  build.diagnostics = read.text.empty() ? result.output : read.text;
  if (build.compile_errors.empty())
    build.compile_errors.push_back(
        {{project.shown(source.file), 0},
         0,
         result.timed_out ? "the compiler did not come to an end in three minutes" : "the compiler failed"});
  return build;
}

void run_linker(const Project& project, const Words& command, const fs::path& draft, const fs::path& child) {
  const ProcessResult result = run_process(command, project.root(), {.wall = kCompileLimit});
  if (!result.ok()) throw HarnessError("The learner's program does not link:\n" + result.output);
  fs::rename(draft, child);
}

/// g++ in two steps, because the undefined shared arrays are known only from the object.
Build build_for_simulator(const Project& project, const Source& source, const Staged& staged, Kind kind,
                          Words command, const Words& libs, const fs::path& child,
                          const std::atomic<bool>* cancel) {
  const fs::path folder = child.parent_path();
  const fs::path object = folder / "puzzle.o";
  const fs::path draft = folder / "child.new";
  if (const fs::path header = precompiled_header(project, command); !header.empty())
    append(command, {"-include", header.string()});
  append(command,
         {"-iquote", folder.string(), "-x", "c++", "-c", staged.main.string(), "-o", object.string()});
  const ProcessResult compiled =
      run_process(command, project.root(), {.wall = kCompileLimit, .cancel = cancel});
  if (!compiled.ok()) return failed(compiled, source, project);

  Words link = {build::kCxx, "-o", draft.string(), object.string()};
  append(link, libs);
  if (const Words names = undefined_thread_locals(object); !names.empty())
    link.push_back(shared_memory_stub(project, names));
  run_linker(project, link, draft, child);
  Build build;
  build.child = child;
  if (kind == Kind::sim_diagnosing)
    build.warnings = read_compiler_output(compiled.output, project.shown(source.file)).warnings;
  return build;
}

Build build_for_cuda(const Project& project, const Source& source, const Staged& staged, Words command,
                     const Words& libs, const fs::path& child) {
  const fs::path draft = child.parent_path() / "child.new";
  append(command, {staged.main.string(), "-o", draft.string()});
  append(command, libs);
  const ProcessResult result = run_process(command, project.root(), {.wall = kCompileLimit});
  if (!result.ok()) return failed(result, source, project);
  fs::rename(draft, child);
  Build build;
  build.child = child;
  return build;
}

}  // namespace

Source source_from(const std::string& origin, const fs::path& file) {
  return {origin, file, read_file(file), origin};
}

fs::path build_folder(const Project& project, const Puzzle& puzzle, const Source& source) {
  return project.state() / "build" / puzzle.name / source.workplace;
}

std::string find_nvcc() {
  std::error_code error;
  if (*build::kNvcc != '\0' && fs::exists(build::kNvcc, error)) return build::kNvcc;
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  folders += ":/usr/local/cuda/bin";
  for (char& c : folders)
    if (c == ':') c = ';';
  for (const std::string& folder : split(folders))
    if (access((fs::path(folder) / "nvcc").c_str(), X_OK) == 0) return (fs::path(folder) / "nvcc").string();
  return "";
}

std::vector<std::string> compile_command(Kind kind, const std::string& architecture) {
  if (kind == Kind::cuda) {
    Words words = {find_nvcc(), "-std=c++20", "-O3", "-lineinfo", "-arch=" + architecture};
    append(words, includes(build::kCudaIncludes));
    return words;
  }
  // SIMULATOR.md says what each flag is for; -g1 has the lines and inlined calls, and compiles in two thirds
  // of the time of -g. Linked without -fsanitize: the hooks are the simulator's.
  Words words = {build::kCxx,
                 "-std=c++20",
                 "-ftls-model=initial-exec",
                 "-fno-extern-tls-init",
                 "-fmax-errors=8",
                 "-fdiagnostics-color=never"};
  if (kind == Kind::sim_diagnosing)
    append(words, {"-O1", "-g1", "-fsanitize=thread", "-fsanitize=bounds", "-fno-optimize-sibling-calls",
                   "--param=tsan-instrument-func-entry-exit=0", "-Wno-tsan", "-Wall", "-Wextra",
                   "-Wno-unused-parameter"});
  else
    append(words, {"-O2", "-g1", "-w"});
  append(words, includes(build::kSimIncludes));
  return words;
}

Build build_child(const Project& project, const Puzzle& puzzle, const Source& source, Kind kind,
                  const std::string& architecture, const std::atomic<bool>* cancel) {
  const fs::path folder = build_folder(project, puzzle, source) / folder_name(kind);
  const Staged staged = stage(project, puzzle, source, kind, folder);
  if (!staged.errors.empty()) {
    Build build;
    build.compile_errors = staged.errors;
    for (const runs::CompileError& error : staged.errors)
      build.diagnostics +=
          error.at.file + ":" + std::to_string(error.at.line) + ": error: " + error.message + "\n";
    return build;
  }
  const Words command = compile_command(kind, architecture);
  const Words libs = libraries(kind);
  const std::string key = key_of(staged, command, libs);
  const fs::path child = folder / "child";
  std::error_code error;
  if (read_file_if_any(folder / "key") == key && fs::exists(child, error)) {
    Build build;
    build.child = child;
    build.warnings = read_file_if_any(folder / "warnings").value_or("");
    return build;
  }
  fs::remove(folder / "key", error);
  const Build build = kind == Kind::cuda
                          ? build_for_cuda(project, source, staged, command, libs, child)
                          : build_for_simulator(project, source, staged, kind, command, libs, child, cancel);
  if (build.ok()) {
    write_file(folder / "warnings", build.warnings);
    write_file(folder / "key", key);
  }
  return build;
}

}  // namespace workbook::cli
