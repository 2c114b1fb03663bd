// A source of a program, compiled, and when it has to be compiled again: what program_build.h makes programs
// of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/process.h"
#include "cli/compile/program_stage.h"
#include "cli/compile/simulator_toolchain.h"

namespace workbook::cli {

/// Kept until one of the files that were read for it changes: of a program of several files, only those that
/// the user edits are compiled again.
class CompiledSource {
 public:
  /// `first`: what is read before it. With other libraries the headers that are compiled in advance are
  /// others too.
  CompiledSource(const std::filesystem::path& folder, std::size_t number, const std::string& first,
                 const std::vector<std::string>& command, const std::vector<std::string>& libraries,
                 const StagedProgram& staged);

  const std::filesystem::path& path() const { return path_; }
  /// As which the program knows it.
  std::string key() const;
  /// What the compiler said of it.
  std::string output() const;
  bool is_current() const;
  /// `c`: as C.
  ProcessResult compile(std::vector<std::string> command, const ProgramFile& source, bool c,
                        const Confinement* by) const;

 private:
  std::filesystem::path beside(const char* end) const { return path_.string() + end; }

  std::filesystem::path path_;
  std::string command_;  ///< what it is compiled with, as a hash
  const StagedProgram& staged_;
};

}  // namespace workbook::cli
