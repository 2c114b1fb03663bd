// How sources become a program of the simulator: flags, keys, and the link with its shared memory. Used for
// puzzles (toolchain.h) and for whole programs (program_build.h).
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/build_key.h"
#include "cli/base/confinement.h"
#include "cli/base/process.h"
#include "cli/project/project.h"

namespace workbook::cli {

inline constexpr auto kCompileLimit = std::chrono::minutes(20);  ///< no slow machine meets it

/// Puts `more` behind `words`.
void append(std::vector<std::string>& words, const std::vector<std::string>& more);

bool is_clang(const std::string& cxx);

/// A list of build_config.h without the archives that are not built yet: what only programs call, and cuBLAS
/// and its like, which few of them do.
std::vector<std::string> built_libraries(std::string_view list);

/// The compiler and the flags that every simulated source needs, without -std, -I and warnings. Diagnosing:
/// each access calls the simulator; else optimised.
std::vector<std::string> simulator_compiler(const std::string& cxx, bool diagnosing);

/// Those of the words of a command that name files.
std::vector<std::filesystem::path> files_among(const std::vector<std::string>& words);

/// Runs a compiler. g++ takes some `__shared__` variables for no constants where it does not elide
/// copies, as it must not where it diagnoses: then the program is compiled with elision after all.
/// `by` confines the compiler, whose limits are then its own, to what the command names and `reachable`; or
/// null.
ProcessResult run_compiler(std::vector<std::string> command, const std::filesystem::path& folder,
                           ProcessLimits limits, const Confinement* by = nullptr, Reachable reachable = {});

/// Whether a compiler ended for what it used and not for what it read.
bool met_limit(const ProcessResult& result);

/// Links what a simulated program needs besides its own objects into one object, to be given ahead of
/// `libraries`: the linker then looks at none of their members again. False when that fails.
bool join_libraries(const Project& project, const std::string& cxx, const std::vector<std::string>& libraries,
                    const std::filesystem::path& object);

/// Links `objects` into `program`, replacing it whole, and gives each `extern __shared__` array that they use
/// its place. The linker's words when that fails, else nothing. `by` confines the linker, or is null.
std::string link_for_simulator(const Project& project, const std::string& cxx,
                               const std::vector<std::filesystem::path>& objects,
                               const std::vector<std::string>& libraries,
                               const std::filesystem::path& program, const Confinement* by = nullptr);

}  // namespace workbook::cli
