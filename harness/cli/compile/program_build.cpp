#include "cli/compile/program_build.h"

#include <chrono>
#include <cstdlib>
#include <set>

#include "cli/base/build_config.h"
#include "cli/base/build_key.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/cache.h"
#include "cli/compile/compiled_source.h"
#include "cli/compile/compiler_output.h"
#include "cli/compile/device_calls.h"
#include "cli/compile/precompiled.h"
#include "cli/compile/program_language.h"
#include "cli/compile/simulator_toolchain.h"
#include "runs/pattern.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t kMostBuilds = 200;  // about a megabyte each

std::string compiler_of(const SimOptions& options) {
  if (!options.cxx.empty()) return options.cxx;
  const char* chosen = std::getenv("WORKBOOK_CXX");
  return chosen && *chosen ? chosen : build::kCxx;
}

/// The files that the linker takes -lNAME from, with their sizes and times: what they hold belongs to the
/// program.
std::string states_of_libraries(const Words& libraries) {
  std::string text;
  std::vector<fs::path> folders;
  for (const std::string& word : libraries)
    if (word.starts_with("-L")) folders.emplace_back(word.substr(2));
  for (const std::string& word : libraries) {
    if (!word.starts_with("-l")) continue;
    for (const fs::path& folder : folders)
      for (const char* end : {".so", ".a"}) {
        const fs::path file = folder / ("lib" + word.substr(2) + end);
        std::error_code error;
        const auto time = fs::last_write_time(file, error).time_since_epoch().count();
        if (error) continue;
        text += file.string() + ' ' + std::to_string(time) + ' ' +
                std::to_string(fs::file_size(file, error)) + '\n';
      }
  }
  return text;
}

/// What is the same for every program compiled with these options, so that its prelude can be shared.
Words base_command(const SimOptions& options, const std::string& cxx) {
  Words words = simulator_compiler(cxx, !options.fast);
  if (!options.optimisation.empty()) words.push_back(options.optimisation);
  append(words, standard_words(options, cxx));
  for (const std::string& folder : split_list(build::kProgramIncludes)) words.push_back("-I" + folder);
  return words;
}

/// One for each set of files and options: those who try two in turn compile neither again.
fs::path build_folder(const Project& project, const SimOptions& options, const Words& base) {
  std::string identity;
  for (const std::string& file : options.files) identity += fs::absolute(file).string() + '\n';
  for (const Words* words :
       {&base, &options.includes, &options.defines, &options.warnings, &options.libraries, &options.headers})
    identity += joined(*words, "\n") + "\n\n";
  return project.state() / "sim" /
         (fs::path(options.files.front()).stem().string() + "-" + runs::content_hash(identity).substr(0, 12));
}

void read_output(const std::string& output, ProgramBuild& build, bool failed) {
  std::vector<WrittenSource> own;
  for (const ProgramFile& file : build.staged.files) own.push_back({file.shown, file.text, file.rewritten});
  const CompilerOutput read = read_compiler_output(output, own);
  build.errors.insert(build.errors.end(), read.errors.begin(), read.errors.end());
  build.diagnostics += !failed ? read.warnings : read.text.empty() ? output : read.text;
}

/// What the linker misses, at the program's own lines where it knows them.
void read_linker_output(const std::string& output, ProgramBuild& build) {
  static const runs::Pattern kAt(
      R"(^(?:.*/ld: )?(.+):(\d+): ?(?:\(\.[^)]*\): )?((?:undefined reference|multiple definition).*)$)");
  static const runs::Pattern kElse(
      R"(^.*(undefined reference to .*|cannot find -l.*|multiple definition of .*)$)");
  std::set<std::string> seen;  // one line names what it misses once for each use
  for (const std::string& line : lines_of(output)) {
    runs::CompileError error;
    if (const auto match = kAt.match(line))
      error = {{build.staged.shown((*match)[1]), std::atoi((*match)[2].c_str())}, 0, (*match)[3]};
    else if (const auto other = kElse.match(line))
      error = {{build.staged.files.front().shown, 0}, 0, (*other)[1]};
    else
      continue;
    const std::string place =
        error.at.file + (error.at.line > 0 ? ":" + std::to_string(error.at.line) : std::string());
    const std::string text = place + ": error: " + error.message + '\n';
    if (!seen.insert(text).second) continue;
    build.diagnostics += text;
    build.errors.push_back(std::move(error));
  }
  if (!build.errors.empty()) return;
  build.diagnostics = output;
  build.errors.push_back({{build.staged.files.front().shown, 0}, 0, "the program does not link"});
}

/// Whether the objects call what nvcc would refuse; then the build says so.
bool refuses_calls(const std::vector<fs::path>& objects, const SimOptions& options, ProgramBuild& build) {
  std::vector<ProgramSource> sources;
  for (const ProgramFile& file : build.staged.files) sources.push_back({file.shown, file.text});
  build.errors = refused_calls(objects, sources, fs::current_path(), options.relaxed_constexpr);
  if (build.errors.empty()) return false;
  build.diagnostics = describe(build.errors, sources);
  return true;
}

void add_error(ProgramBuild& build, const ProgramFile& source, const std::string& what) {
  build.errors.push_back({{source.shown, 0}, 0, what});
  build.diagnostics += source.shown + ": error: " + what + '\n';
}

/// False when a source does not compile.
bool compile(const Project& project, const SimOptions& options, const Words& base, const Words& own,
             const Words& link, const fs::path& folder, ProgramBuild& build,
             std::vector<CompiledSource>& objects) {
  Words all = base;
  append(all, own);
  const std::string defined = defines_of(options).text;
  const bool thrust = uses_thrust(build.staged);
  bool staged = false;
  for (std::size_t i = 0; i < build.staged.sources; ++i) {
    const ProgramFile& source = build.staged.files[i];
    const std::string first = prelude(options, source, thrust);
    const CompiledSource& object = objects.emplace_back(folder, i, first + defined, all, link, build.staged);
    if (object.is_current()) {
      read_output(object.output(), build, false);
      continue;
    }
    if (!staged) {
      prune(project.state() / "sim", "", kMostBuilds, std::chrono::hours(24));
      build.staged.write();
      staged = true;
    }
    Words command = base;
    const bool c = is_c(options, build.staged, source);
    if (c) {
      // g++ takes C, too, and says of each option that is for C++ that it is.
      std::erase_if(command, [](const std::string& word) {
        return word.starts_with("-std=") || word == "-fno-char8_t" || word == "-fcheck-new" ||
               word == "-fno-extern-tls-init" || word == "-fno-elide-constructors" ||
               word == "-Wno-register" || word == "-Wno-volatile";
      });
    } else if (!first.empty()) {
      fs::path header = precompiled_header(project, base, first);
      if (header.empty()) {
        header = folder / "prelude.h";
        if (read_file_if_any(header) != first) write_file(header, first);
      }
      append(command, {"-include", header.string()});
    }
    if (!defined.empty()) {
      const fs::path header = folder / "defines.h";
      if (read_file_if_any(header) != defined) write_file(header, defined);
      append(command, {"-include", header.string()});
    }
    append(command, own);
    const Confinement* const by = options.confined_by;
    const ProcessResult compiled = object.compile(command, source, c, by);
    if (by != nullptr && !compiled.ok() && by->failed(compiled.output))
      throw HarnessError("The compiler could not be started: " + compiled.output);
    if (by != nullptr && met_limit(compiled)) {
      add_error(build, source, "the compiler met a limit of " + by->words());
      return false;
    }
    read_output(compiled.output, build, !compiled.ok());
    if (compiled.ok()) continue;
    if (build.errors.empty())
      build.errors.push_back(
          {{source.shown, 0},
           0,
           compiled.timed_out ? "the compiler met its limit of 20 minutes" : "the compiler failed"});
    return false;
  }
  return true;
}

}  // namespace

ProgramBuild build_program(const Project& project, const SimOptions& options) {
  const Words libraries = built_libraries(build::kProgramLibraries);
  if (libraries.empty()) throw HarnessError("This workbook was built without the simulator.");
  const std::string cxx = compiler_of(options);
  const Words base = base_command(options, cxx);
  const fs::path folder = build_folder(project, options, base);

  ProgramBuild build;
  build.lock = std::make_unique<FileLock>(folder / "lock");
  mark_used(folder);
  build.staged = stage_program(options.files, options.includes, folder / "tree", options.headers);
  leave_c(options, build.staged);
  if (!build.staged.errors.empty()) {
    build.errors = build.staged.errors;
    for (const runs::CompileError& error : build.errors)
      build.diagnostics +=
          error.at.file + ":" + std::to_string(error.at.line) + ": error: " + error.message + "\n";
    return build;
  }
  Words own = defines_of(options).options;
  if (options.openmp) own.emplace_back("-fopenmp");
  append(own, options.warnings);
  append(own, build.staged.search);
  Words link = options.libraries;
  append(link, libraries);
  if (options.openmp) link.emplace_back("-fopenmp");

  std::vector<CompiledSource> objects;
  if (!compile(project, options, base, own, link, folder, build, objects)) return build;
  std::string texts;
  std::vector<fs::path> files;
  for (const CompiledSource& object : objects) {
    texts += object.key();
    files.push_back(object.path());
  }
  if (options.relaxed_constexpr) texts += "relaxed";  // what is linked with it, others may refuse
  texts += states_of_libraries(options.libraries);
  build.key = build_key(texts, base, link);
  // The learner's comes first; what is given beside it may do what it likes.
  if (options.confined_by != nullptr)
    if (const std::string what =
            options.confined_by->refuses(files.front(), {files.begin() + 1, files.end()});
        !what.empty()) {
      add_error(build, build.staged.files.front(), what);
      return build;
    }
  const fs::path program = folder / "program";
  std::error_code error;
  if (read_file_if_any(folder / "key") == build.key && fs::exists(program, error)) {
    build.program = program;
    return build;
  }
  fs::remove(folder / "key", error);
  if (!options.fast && refuses_calls(files, options, build)) return build;
  if (const std::string trouble = link_for_simulator(project, cxx, files, link, program, options.confined_by);
      !trouble.empty()) {
    if (options.confined_by != nullptr && options.confined_by->failed(trouble))
      throw HarnessError("The linker could not be started: " + trouble);
    read_linker_output(trouble, build);
    return build;
  }
  build.program = program;
  write_file(folder / "key", build.key);
  return build;
}

}  // namespace workbook::cli
