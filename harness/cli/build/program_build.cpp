#include "cli/build/program_build.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include "cli/build/cache.h"
#include "cli/build/compiler_output.h"
#include "cli/build/precompiled.h"
#include "cli/build/simulator_toolchain.h"
#include "cli/build_config.h"
#include "cli/project/errors.h"
#include "cli/report/text.h"
#include "cli/run/process.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kProgramLimit = std::chrono::minutes(20);  // no slow machine meets it
constexpr std::size_t kMostBuilds = 200;                  // about a megabyte each

std::string compiler_of(const SimOptions& options) {
  if (!options.cxx.empty()) return options.cxx;
  const char* chosen = std::getenv("WORKBOOK_CXX");
  return chosen && *chosen ? chosen : build::kCxx;
}

bool is_older(const std::string& standard) { return !standard.ends_with("20") && !standard.ends_with("23"); }

/// The simulator's headers are C++20: an older standard is compiled as that, less what is new in it and in
/// the way. What it merely deprecates is not worth a word then.
Words standard_words(const SimOptions& options, const std::string& cxx) {
  if (!is_older(options.standard)) return {"-std=" + options.standard};
  return {"-std=gnu++20", "-fno-char8_t", "-Wno-deprecated", "-Wno-register",
          is_clang(cxx) ? "-Wno-deprecated-volatile" : "-Wno-volatile"};
}

/// What is read before a source: nvcc includes the run-time header in every .cu.
std::string prelude(const SimOptions& options, const ProgramFile& source) {
  return (is_older(options.standard) ? "#include <workbook_sim/older_standard.h>\n" : std::string()) +
         (source.original.extension() == ".cu" ? "#include <cuda_runtime.h>\n" : "");
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
       {&base, &options.includes, &options.defines, &options.warnings, &options.libraries})
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
  static const std::regex kAt(R"(^(?:.*/ld: )?(.+):(\d+): ((?:undefined reference|multiple definition).*)$)");
  static const std::regex kElse(
      R"(^.*(undefined reference to .*|cannot find -l.*|multiple definition of .*)$)");
  std::set<std::string> seen;  // one line names what it misses once for each use
  for (const std::string& line : lines_of(output)) {
    std::smatch match;
    runs::CompileError error;
    if (std::regex_match(line, match, kAt))
      error = {{build.staged.shown(match[1]), std::atoi(match[2].str().c_str())}, 0, match[3]};
    else if (std::regex_match(line, match, kElse))
      error = {{build.staged.files.front().shown, 0}, 0, match[1]};
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

/// What the compiler read beside the staged files: the simulator's headers, and what is included by a
/// computed name. One line each: when it was changed, its size, its path.
std::string stamps(const Words& files) {
  std::string text;
  for (const std::string& file : files) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error).time_since_epoch().count();
    text += std::to_string(time) + ' ' + std::to_string(fs::file_size(file, error)) + ' ' + file + '\n';
  }
  return text;
}

/// The prerequisites in a compiler's dependency file, without those below `tree`.
Words dependencies(const std::string& rule, const fs::path& tree) {
  Words files(1);
  for (std::size_t i = std::min(rule.find(": "), rule.size()); i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && (next == ' ' || next == '#'))
      files.back() += rule[++i];
    else if (rule[i] == '$' && next == '$')
      files.back() += rule[++i];
    else if (rule[i] != '\\' && rule[i] != '\n' && rule[i] != ' ' && rule[i] != ':')
      files.back() += rule[i];
    else if (!files.back().empty())
      files.emplace_back();
  }
  std::erase_if(files,
                [&](const std::string& file) { return file.empty() || file.starts_with(tree.string()); });
  return files;
}

bool inputs_are_unchanged(const fs::path& folder) {
  const auto recorded = read_file_if_any(folder / "inputs");
  if (!recorded) return false;
  Words files;
  for (const std::string& line : lines_of(*recorded))
    files.push_back(line.substr(line.find(' ', line.find(' ') + 1) + 1));
  return stamps(files) == *recorded;
}

/// False when a source does not compile.
bool compile(const Project& project, const SimOptions& options, const Words& base, const Words& own,
             const fs::path& folder, ProgramBuild& build, std::vector<fs::path>& objects, Words& inputs) {
  for (std::size_t i = 0; i < build.staged.sources; ++i) {
    const ProgramFile& source = build.staged.files[i];
    objects.push_back(folder / (std::to_string(i) + ".o"));
    Words command = base;
    if (const std::string first = prelude(options, source); !first.empty()) {
      const fs::path header = precompiled_header(project, base, first);
      if (header.empty()) write_file(folder / "prelude.h", first);
      append(command, {"-include", header.empty() ? (folder / "prelude.h").string() : header.string()});
    }
    append(command, own);
    const fs::path rule = objects.back().string() + ".d";
    append(command, {"-MMD", "-MF", rule.string(), "-x", "c++", "-c", source.staged.string(), "-o",
                     objects.back().string()});
    const ProcessResult compiled =
        compile_for_simulator(command, fs::current_path(), {.wall = kProgramLimit});
    read_output(compiled.output, build, !compiled.ok());
    if (compiled.ok()) {
      append(inputs, dependencies(read_file(rule), build.staged.tree));
      continue;
    }
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
  Words libraries = split_list(build::kProgramLibraries);
  if (libraries.empty()) throw HarnessError("This workbook was built without the simulator.");
  // cuBLAS and cuRAND are built when `workbook sim` is first asked for; few programs call them.
  std::erase_if(libraries,
                [](const std::string& library) { return library.starts_with('/') && !fs::exists(library); });
  const std::string cxx = compiler_of(options);
  const Words base = base_command(options, cxx);
  const fs::path folder = build_folder(project, options, base);

  ProgramBuild build;
  build.lock = std::make_unique<FileLock>(folder / "lock");
  mark_used(folder);
  build.staged = stage_program(options.files, options.includes, folder / "tree");
  if (!build.staged.errors.empty()) {
    build.errors = build.staged.errors;
    for (const runs::CompileError& error : build.errors)
      build.diagnostics +=
          error.at.file + ":" + std::to_string(error.at.line) + ": error: " + error.message + "\n";
    return build;
  }
  Words own = options.defines;
  append(own, options.warnings);
  append(own, build.staged.search);
  Words link = options.libraries;
  append(link, libraries);

  Words all = base;
  append(all, own);
  const std::string key = build_key(build.staged.texts(), all, link);
  const fs::path program = folder / "program";
  std::error_code error;
  if (read_file_if_any(folder / "key") == key && fs::exists(program, error) && inputs_are_unchanged(folder)) {
    build.program = program;
    build.diagnostics = read_file_if_any(folder / "warnings").value_or("");
    return build;
  }
  fs::remove(folder / "key", error);
  prune(project.state() / "sim", "", kMostBuilds, std::chrono::hours(24));
  build.staged.write();
  std::vector<fs::path> objects;
  Words inputs;
  if (!compile(project, options, base, own, folder, build, objects, inputs)) return build;
  if (const std::string trouble = link_for_simulator(project, cxx, objects, link, program);
      !trouble.empty()) {
    read_linker_output(trouble, build);
    return build;
  }
  build.program = program;
  write_file(folder / "inputs", stamps(inputs));
  write_file(folder / "warnings", build.diagnostics);
  write_file(folder / "key", key);
  return build;
}

}  // namespace workbook::cli
