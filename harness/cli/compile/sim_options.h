// The words after `workbook sim`, read the way a compiler driver reads its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/confinement.h"

namespace workbook::cli {

struct SimOptions {
  std::vector<std::string> files;      ///< as typed
  std::vector<std::string> arguments;  ///< the program's own, after --
  std::vector<std::string> includes;   ///< folders of -I, as typed
  std::vector<std::string> defines;    ///< -D and -U with their values, as the compiler takes them
  std::vector<std::string> libraries;  ///< -l, -L and -Wl, in order
  std::vector<std::string> warnings;   ///< -W..., and what else the compiler is told of the language
  std::vector<std::string> headers;    ///< read before each source: -include
  std::string standard = "c++17";      ///< as typed; nvcc's default
  std::string optimisation;            ///< "-O3"; empty: what the build has
  std::string cxx;                     ///< empty: the compiler that built the workbook
  std::string gpu = "h200";
  std::string report;  ///< empty: none
  std::string ahead;   ///< lines that are compiled in advance and read before each CUDA source
  double timeout_s = 300.0;
  double sample_percent = 100.0;             ///< of each launch's blocks: how many are checked
  const Confinement* confined_by = nullptr;  ///< of compiler and linker, where it is a stranger's program
  bool fast = false;
  bool counters = false;
  bool openmp = false;
  bool relaxed_constexpr = false;  ///< kernels may call constexpr functions of the host
  bool stream_of_thread = false;   ///< stream 0 is cudaStreamPerThread
  bool all_cuda = false;           ///< -x cu: sources are CUDA whatever their names end in
  bool json = false;
  bool help = false;
};

/// Throws UsageError for what is not understood.
SimOptions read_sim_options(const std::vector<std::string>& words);

/// What `workbook sim --help` prints.
std::string sim_help();

}  // namespace workbook::cli
