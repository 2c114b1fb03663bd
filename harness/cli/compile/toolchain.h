// Turns a puzzle and a kernels.cu into a child program. No CMake in between: from save to verdict counts.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/base/confinement.h"
#include "cli/project/project.h"
#include "runs/record.h"

namespace workbook::cli {

/// The kernels that are judged, and whose they are.
struct Source {
  std::string origin;  ///< "learner", "solution" or a mutant's name
  std::filesystem::path file;
  std::string text;
  std::string workplace;     ///< the folder it is built in; one a worker where many sources are judged
  std::string variant = {};  ///< the one to compile for the simulator, in a fraction of the time; empty: all
  std::string edit_of = {};  ///< of which `text` is a small edit: what differs is compiled, the rest kept
  const Confinement* confined_by = nullptr;  ///< of compiler, linker and program, where it is a stranger's
};

Source source_from(const std::string& origin, const std::filesystem::path& file);

/// The learner's own. Where the file is gone, throws UsageError with the commands that bring one back.
Source learner_source(const Project& project, const Puzzle& puzzle, const VariantInfo& variant);

enum class Kind {
  sim_diagnosing,  ///< every access checked, for the small cases
  sim_fast,        ///< optimised, for the large one
  cuda,
};

struct Build {
  std::filesystem::path child;  ///< empty when it does not compile
  std::vector<runs::CompileError> compile_errors;
  std::string diagnostics;  ///< the compiler's words, for the terminal
  std::string warnings;     ///< in the learner's file
  bool ok() const { return !child.empty(); }
};

/// The folder in which a source is built and run.
std::filesystem::path build_folder(const Project& project, const Puzzle& puzzle, const Source& source);

/// Compiles and links, or reuses what is there when nothing changed. `architecture` ("sm_90") is for CUDA.
/// Throws HarnessError when it is not the learner's code that fails.
Build build_child(const Project& project, const Puzzle& puzzle, const Source& source, Kind kind,
                  const std::string& architecture, const std::atomic<bool>* cancel);

/// The compiler command for one .cu as that kind, without output options: also used by tests.
std::vector<std::string> compile_command(Kind kind, const std::string& architecture);

/// An executable in the folder `first`, else on PATH, else in the folder `last`, either of which may be
/// empty; empty when there is none.
std::string find_tool(const std::string& tool, const std::filesystem::path& first,
                      const std::filesystem::path& last = {});

/// $WORKBOOK_NVCC, else nvcc of this build, or the one on PATH; empty when there is none.
std::string find_nvcc();

}  // namespace workbook::cli
