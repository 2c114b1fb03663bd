// How sources become a program of the simulator: flags, keys, and the link with its shared memory. Used for
// puzzles (toolchain.h) and for whole programs (program_build.h).
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/project/project.h"
#include "cli/run/process.h"

namespace workbook::cli {

inline constexpr auto kCompileLimit = std::chrono::minutes(20);  ///< no slow machine meets it

/// Puts `more` behind `words`.
void append(std::vector<std::string>& words, const std::vector<std::string>& more);

/// Parts of a list of build_config.h.
std::vector<std::string> split_list(std::string_view list);

bool is_clang(const std::string& cxx);

/// A char, and a product that is added to, mean the same on every processor. All that computes what a kernel
/// is compared with is compiled with them (CMakeLists.txt sets them for the workbook's own code).
inline constexpr const char* kSameArithmetic[] = {"-fsigned-char", "-ffp-contract=off"};

/// The compiler and the flags that every simulated source needs, without -std, -I and warnings. Diagnosing:
/// each access calls the simulator; else optimised.
std::vector<std::string> simulator_compiler(const std::string& cxx, bool diagnosing);

/// Runs such a compiler. g++ takes some `__shared__` variables for no constants where it does not elide
/// copies, as it must not where it diagnoses: then the program is compiled with elision after all.
ProcessResult compile_for_simulator(std::vector<std::string> command, const std::filesystem::path& folder,
                                    const ProcessLimits& limits);

/// Changes when sources, flags or the very libraries do: when the key is the same, so is the program.
std::string build_key(const std::string& texts, const std::vector<std::string>& command,
                      const std::vector<std::string>& libraries);

/// Links `objects` into `program`, replacing it whole, and gives each `extern __shared__` array that they use
/// its place. The linker's words when that fails, else nothing.
std::string link_for_simulator(const Project& project, const std::string& cxx,
                               const std::vector<std::filesystem::path>& objects,
                               const std::vector<std::string>& libraries,
                               const std::filesystem::path& program);

}  // namespace workbook::cli
