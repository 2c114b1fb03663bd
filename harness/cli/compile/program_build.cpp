#include "cli/compile/program_build.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/cache.h"
#include "cli/compile/compiler_output.h"
#include "cli/compile/device_calls.h"
#include "cli/compile/precompiled.h"
#include "cli/compile/simulator_toolchain.h"
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

/// Whether the program takes more of Thrust than transform(): then Thrust's own headers are read, which take
/// seconds.
bool uses_thrust(const StagedProgram& staged) {
  static const std::regex kInclude(R"(#[ \t]*include[ \t]*[<"]thrust/([^>"]*))");
  for (const ProgramFile& file : staged.files)
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), kInclude), end; at != end; ++at)
      if ((*at)[1] != "transform.h" && (*at)[1] != "execution_policy.h") return true;
  return false;
}

/// What is read before a source: nvcc includes the run-time header in every .cu.
std::string prelude(const SimOptions& options, const ProgramFile& source, bool thrust) {
  return (is_older(options.standard) ? "#include <workbook_sim/older_standard.h>\n" : std::string()) +
         (thrust ? "#define WORKBOOK_SIM_WHOLE_THRUST 1\n" : "") +
         (options.all_cuda || source.original.extension() == ".cu"
              ? "#include <cuda_runtime.h>\n" + options.ahead
              : "");
}

/// Whether `file`, or one of the program's that it includes, includes a header of CUDA's: the simulator's are
/// C++.
bool includes_cuda(const StagedProgram& staged, const ProgramFile& file, std::set<fs::path>& seen) {
  if (!seen.insert(file.original).second) return false;
  for (const auto& [name, quoted] : includes_of(file.text)) {
    bool own = false;
    for (const ProgramFile& other : staged.files)
      if (other.original == (file.original.parent_path() / name).lexically_normal()) {
        own = true;
        if (includes_cuda(staged, other, seen)) return true;
      }
    std::error_code error;
    for (const std::string& folder : split_list(build::kProgramIncludes))
      if (!own && fs::exists(fs::path(folder) / name, error)) return true;
  }
  return false;
}

/// nvcc gives a source in C to the host's compiler as such. Here that holds for one that includes no header
/// of CUDA's.
bool is_c(const SimOptions& options, const StagedProgram& staged, const ProgramFile& source) {
  std::set<fs::path> seen;
  return !options.all_cuda && source.original.extension() == ".c" && !includes_cuda(staged, source, seen);
}

/// Sources in C stay as they are.
void leave_c(const SimOptions& options, StagedProgram& staged) {
  for (std::size_t i = 0; i < staged.sources; ++i)
    if (ProgramFile& source = staged.files[i]; is_c(options, staged, source)) source.rewritten = source.text;
}

/// "-DN=16" as a line of a header. Read behind the simulator's headers it cannot break them, whatever they
/// call their parameters. Names that begin with an underscore are for headers: those stay options.
struct Defines {
  Words options;
  std::string text;
};
/// Of --default-stream per-thread: said before main(), by each source.
constexpr std::string_view kStreamOfThread = R"(#ifdef __cplusplus
extern "C" void workbook_sim_stream_of_thread();
namespace { [[maybe_unused]] const bool workbook_sim_has_stream_of_thread = (workbook_sim_stream_of_thread(), true); }
#endif
)";

Defines defines_of(const SimOptions& options) {
  Defines out;
  for (const std::string& word : options.defines) {
    const std::string body = word.substr(2);
    const std::size_t equals = body.find('=');
    if (body.starts_with('_'))
      out.options.push_back(word);
    else if (word.starts_with("-U"))
      out.text += "#undef " + body + '\n';
    else
      out.text += "#define " + body.substr(0, equals) + ' ' +
                  (equals == std::string::npos ? "1" : body.substr(equals + 1)) + '\n';
  }
  if (options.stream_of_thread) out.text += kStreamOfThread;
  return out;
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
  static const std::regex kAt(
      R"(^(?:.*/ld: )?(.+):(\d+): ?(?:\(\.[^)]*\): )?((?:undefined reference|multiple definition).*)$)");
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

/// Whether the objects call what nvcc would refuse; then the build says so.
bool refuses_calls(const std::vector<fs::path>& objects, const SimOptions& options, ProgramBuild& build) {
  std::vector<ProgramSource> sources;
  for (const ProgramFile& file : build.staged.files) sources.push_back({file.shown, file.text});
  build.errors = refused_calls(objects, sources, fs::current_path(), options.relaxed_constexpr);
  if (build.errors.empty()) return false;
  build.diagnostics = describe(build.errors, sources);
  return true;
}

/// What a file that the compiler read is now: a copy by what it holds, any other (the simulator's headers,
/// what is included by a computed name) by when it was changed and by its size. A line each, with the file's
/// path.
std::string states_of(const Words& files, const StagedProgram& staged) {
  std::string text;
  for (const std::string& file : files) {
    const fs::path place = fs::path(file).lexically_normal();  // "sub/../local.h" is local.h
    const auto copy = std::find_if(staged.files.begin(), staged.files.end(),
                                   [&](const ProgramFile& one) { return one.staged == place; });
    if (copy != staged.files.end()) {
      text += runs::content_hash(copy->shown + '\n' + copy->rewritten);
    } else {
      std::error_code error;
      const auto time = fs::last_write_time(file, error).time_since_epoch().count();
      text += std::to_string(time) + '-' + std::to_string(fs::file_size(file, error));
    }
    text += ' ' + file + '\n';
  }
  return text;
}

/// The prerequisites in a compiler's dependency file.
Words dependencies(const std::string& rule) {
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
  std::erase(files, "");
  return files;
}

/// A source, compiled. It is kept until one of the files that were read for it changes: of a program of
/// several files, only those that the user edits are compiled again.
class CompiledSource {
 public:
  /// `first`: what is read before it. With other libraries the headers that are compiled in advance are
  /// others too.
  CompiledSource(const fs::path& folder, std::size_t number, const std::string& first, const Words& command,
                 const Words& libraries, const StagedProgram& staged)
      : path_(folder / (std::to_string(number) + ".o")), staged_(staged) {
    std::string names;  // a new one may hide another
    for (const ProgramFile& file : staged.files) names += file.staged.string() + '\n';
    command_ = build_key(names + first, command, libraries);
  }

  const fs::path& path() const { return path_; }
  /// As which the program knows it.
  std::string key() const { return command_ + '\n' + read_file_if_any(beside(".inputs")).value_or(""); }
  std::string output() const { return read_file_if_any(beside(".output")).value_or(""); }

  bool is_current() const {
    const auto recorded = read_file_if_any(beside(".inputs"));
    if (!recorded || read_file_if_any(beside(".key")) != command_) return false;
    Words files;
    for (const std::string& line : lines_of(*recorded)) files.push_back(line.substr(line.find(' ') + 1));
    std::error_code error;
    return fs::exists(path_, error) && states_of(files, staged_) == *recorded;
  }

  ProcessResult compile(Words command, const ProgramFile& source, bool c, const Confinement* by) const {
    std::error_code error;
    fs::remove(beside(".key"), error);
    const fs::path rule = beside(".d");
    append(command, {"-MMD", "-MF", rule.string(), "-x", c ? "c" : "c++", "-c", source.staged.string(), "-o",
                     path_.string()});
    ProcessResult compiled =
        run_compiler(command, fs::current_path(), {.wall = kProgramLimit}, by, {{}, {path_.parent_path()}});
    if (!compiled.ok()) return compiled;
    write_file(beside(".inputs"), states_of(dependencies(read_file(rule)), staged_));
    write_file(beside(".output"), compiled.output);
    write_file(beside(".key"), command_);
    return compiled;
  }

 private:
  fs::path beside(const char* end) const { return path_.string() + end; }

  fs::path path_;
  std::string command_;  ///< what it is compiled with, as a hash
  const StagedProgram& staged_;
};

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
