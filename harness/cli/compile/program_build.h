// Turns a CUDA program into one that runs on the simulator: `workbook sim`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/file_lock.h"
#include "cli/compile/program_stage.h"
#include "cli/compile/sim_options.h"
#include "cli/project/project.h"
#include "runs/record.h"

namespace workbook::cli {

struct ProgramBuild {
  std::unique_ptr<FileLock> lock;  ///< on the build's folder: held until the program has been started
  std::filesystem::path program;   ///< empty when it does not compile
  std::string key;                 ///< a hash of all that the program was made of, the simulator included
  StagedProgram staged;
  std::vector<runs::CompileError> errors;
  std::string diagnostics;  ///< the compiler's errors, or its warnings when it compiles
  bool ok() const { return !program.empty(); }
};

/// Compiles and links, or reuses what is there when nothing changed. Throws UsageError when a file cannot be
/// read, HarnessError when it is not the program that fails.
ProgramBuild build_program(const Project& project, const SimOptions& options);

}  // namespace workbook::cli
