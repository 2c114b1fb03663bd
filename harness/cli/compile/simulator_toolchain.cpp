#include "cli/compile/simulator_toolchain.h"

#include <algorithm>

#include "cli/base/build_config.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/elf_symbols.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kLinkLimit = std::chrono::minutes(20);  // no slow machine meets it
constexpr std::size_t kSharedBytes =
    227 * 1024;  // the most dynamic shared memory a block of the GPU table has

constexpr const char* kNoElision = "-fno-elide-constructors";

/// CUDA lays every `extern __shared__` array of a block on one address; so does this object. Its symbols are
/// weak, and it is linked last, because the simulator's own variables (threadIdx) are thread-local too.
/// Aligned as a GPU's: tiles are swizzled by their addresses.
fs::path shared_memory_stub(const Project& project, const Words& names) {
  std::string text = ".section .tbss,\"awT\",%nobits\n.balign 1024\n";
  for (const std::string& name : names)  // by its size the simulator knows a dynamic array from a static one
    text += ".weak " + name + "\n.type " + name + ", %tls_object\n.size " + name + ", " +
            std::to_string(kSharedBytes) + "\n" + name + ":\n";
  text += ".zero " + std::to_string(kSharedBytes) + "\n.section .note.GNU-stack,\"\",%progbits\n";
  const fs::path file = project.state() / "cache" / ("shared-" + runs::content_hash(text) + ".s");
  if (!fs::exists(file)) write_file(file, text);
  return file;
}

/// Adds what a compiler reads: the folders of its -I, -isystem and -include.
void append_read_by(const Words& command, Reachable& reachable) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i].starts_with("-I/")) reachable.read.emplace_back(command[i].substr(2));
    if (i == 0) continue;
    if (command[i - 1] == "-isystem") reachable.read.emplace_back(command[i]);
    if (command[i - 1] == "-include") reachable.read.push_back(fs::path(command[i]).parent_path());
  }
}

}  // namespace

std::vector<fs::path> files_among(const Words& words) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const std::string& word : words)
    if (word.starts_with('/') && fs::is_regular_file(word, error)) files.emplace_back(word);
  return files;
}

bool met_limit(const ProcessResult& result) {
  if (result.timed_out || result.out_of_memory || result.signal != 0) return true;
  for (const char* words : {"signal terminated program", "out of memory allocating", "memory exhausted"})
    if (result.output.find(words) != std::string::npos) return true;
  return false;
}

Words built_libraries(std::string_view list) {
  Words words = split_list(list);
  std::erase_if(words, [](const std::string& word) { return word.starts_with('/') && !fs::exists(word); });
  return words;
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

bool is_clang(const std::string& cxx) {
  return fs::path(cxx).filename().string().find("clang") != std::string::npos;
}

std::vector<std::string> simulator_compiler(const std::string& cxx, bool diagnosing) {
  // SIMULATOR.md says what each flag is for; -g1 has the lines and inlined calls, and compiles in two thirds
  // of the time of -g. Linked without -fsanitize: the hooks are the simulator's. Every page of a large frame
  // is touched in turn, so that a stack that is full is met at its guard and not in another thread's.
  const bool clang = is_clang(cxx);
  Words words = {
      cxx, "-ftls-model=initial-exec", "-g1", "-fstack-clash-protection", "-fdiagnostics-color=never",
      // Ubuntu's compiler turns memcpy into another function, which the linker would not wrap.
      "-U_FORTIFY_SOURCE",
      // Kernels read one type as another (a float4 as eight halves), and nvcc lets them.
      "-fno-strict-aliasing",
      // An int that overflows wraps, and an index made of it is wrong, as on a GPU: not widened before.
      "-fwrapv"};
  words.insert(words.end(), std::begin(kSameArithmetic), std::end(kSameArithmetic));
  const auto add = [&](const Words& more) { append(words, more); };
  for (const std::string& folder : split_list(build::kSimSystemIncludes)) add({"-isystem", folder});
  // In kernels new gives null where there is no room: what g++ takes for impossible must be looked at.
  add(clang ? Words{"-ferror-limit=8"} : Words{"-fmax-errors=8", "-fno-extern-tls-init", "-fcheck-new"});
  if (!diagnosing) {
    add({"-O2", "-w"});
    return words;
  }
  // The second sanitizer calls the simulator at every basic block: loops without end are told by work. A
  // section a function leaves every call between two of them to the linker (device_calls.h reads them).
  add({"-O1", "-ffunction-sections", "-fsanitize=thread", "-fsanitize-coverage=trace-pc",
       clang ? "-fsanitize=array-bounds,return" : "-fsanitize=bounds-strict,return",
       "-fno-optimize-sibling-calls"});
  if (clang)
    add({"-fdebug-info-for-profiling", "-gdwarf-4",
         "-g1",  // where each function is declared, as binutils read it
         "-fdeclspec", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-builtin", "-mllvm",
         "-tsan-instrument-read-before-write", "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
         "-tsan-distinguish-volatile", "-mllvm", "-instcombine-code-sinking=false",
         // What is read of an array of the host's stack that a call has filled is traced, too.
         "-mllvm", "-capture-tracking-max-uses-to-explore=0"});
  else
    // What runs before the accesses are traced must not move a load behind the guard that should have stood
    // before it, nor leave out one whose value nobody needs. g++ traces no call: `tile[i] = f()` must not
    // build the result in place, nor `f(tile[i])` pass it from there.
    add({"-fno-tree-sink", "-fno-tree-dce", "-fno-tree-dse", "-fno-tree-fre", kNoElision,
         "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-malloc",
         "-fno-builtin-free", "-fno-allocation-dce", "--param=tsan-instrument-func-entry-exit=0",
         "--param=tsan-distinguish-volatile=1", "-Wno-tsan"});
  return words;
}

ProcessResult run_compiler(Words command, const fs::path& folder, ProcessLimits limits, const Confinement* by,
                           Reachable reachable) {
  if (by != nullptr) {
    const std::atomic<bool>* const cancel = limits.cancel;
    limits = by->limits(Confinement::Of::compiler);
    limits.cancel = cancel;
    append_read_by(command, reachable);
    command = by->around(Confinement::Of::compiler, command, folder, reachable);
  }
  ProcessResult result = run_process(command, folder, limits);
  if (result.ok() || result.output.find("incompletely initialized variable") == std::string::npos ||
      std::erase(command, kNoElision) == 0)
    return result;
  return run_process(command, folder, limits);
}

bool join_libraries(const Project& project, const std::string& cxx, const Words& libraries,
                    const fs::path& object) {
  Words join = {cxx, "-r", "-o", object.string(), "-Wl,--undefined=main"};
  if (*build::kLinker != '\0') join.emplace_back(build::kLinker);
  append(join, libraries);
  return run_process(join, project.root(), {.wall = kLinkLimit}).ok();
}

std::string link_for_simulator(const Project& project, const std::string& cxx,
                               const std::vector<fs::path>& objects, const Words& libraries,
                               const fs::path& program, const Confinement* by) {
  const fs::path draft = program.string() + ".new";
  // The compiler traces no call of the first three: the simulator does.
  Words link = {
      cxx, "-o", draft.string(), "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",
      "-Wl,--wrap=dl_iterate_phdr",
      // In kernels these are the device's: malloc, free, new, new[], delete, delete[].
      "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZdlPv,--wrap=_ZdlPvm,"
      "--wrap=_ZdaPv,--wrap=_ZdaPvm",
      // The wrappers name the real ones weakly, which takes nothing out of a static library.
      "-Wl,--undefined=calloc,--undefined=realloc,--undefined=_Znwm,--undefined=_Znam,--undefined=_ZdlPv,--undefined=_ZdaPv,"
      "--undefined=_ZdlPvm,--undefined=_ZdaPvm"};
  // How threads of the host are begun, joined and ordered (sim/check/hooks_threads.cpp).
  for (const char* call :
       {"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_rwlock_rdlock",
        "pthread_rwlock_wrlock", "pthread_rwlock_unlock", "pthread_barrier_wait", "sem_post", "sem_wait",
        "sem_trywait", "pthread_create", "pthread_join", "_ZNSt6thread4joinEv",
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"})
    link.push_back(std::string("-Wl,--wrap=") + call + ",--undefined=" + call);
  link.emplace_back("-Wl,--build-id=none");  // a hash of all that is written, which nobody asks for
  if (*build::kLinker != '\0') link.emplace_back(build::kLinker);
  Words shared;  // known only from the objects
  for (const fs::path& object : objects) {
    link.push_back(object.string());
    const Words names = undefined_thread_locals(object);
    shared.insert(shared.end(), names.begin(), names.end());
  }
  link.insert(link.end(), libraries.begin(), libraries.end());
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
  if (!shared.empty()) link.push_back(shared_memory_stub(project, shared));
  const ProcessLimits limits =
      by == nullptr ? ProcessLimits{.wall = kLinkLimit} : by->limits(Confinement::Of::compiler);
  if (by != nullptr)
    link = by->around(Confinement::Of::compiler, link, project.root(),
                      {.read = files_among(link), .write = {program.parent_path()}});
  ProcessResult result = run_process(link, project.root(), limits);
  if (!result.ok() &&
      std::erase(link, build::kLinker) > 0)  // the default one knows the line of what is missing
    result = run_process(link, project.root(), limits);
  if (result.timed_out) return "the linker met its limit of 20 minutes";
  if (!result.ok()) return result.output.empty() ? "the linker failed" : result.output;
  fs::rename(draft, program);
  return "";
}

}  // namespace workbook::cli
