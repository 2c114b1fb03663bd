// What a source of a program is read as, for program_build.h: its standard, C or C++, and what is read before
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/compile/program_stage.h"
#include "cli/compile/sim_options.h"

namespace workbook::cli {

/// The simulator's headers are C++20: an older standard is compiled as that, less what is new in it and in
/// the way. What it merely deprecates is not worth a word then.
std::vector<std::string> standard_words(const SimOptions& options, const std::string& cxx);

/// Whether the program takes more of Thrust than transform(): then Thrust's own headers are read, which take
/// seconds.
bool uses_thrust(const StagedProgram& staged);

/// Whether it begins with includes of the standard library's headers, <vector> among them.
bool begins_with_vector(std::string_view text);

/// What is read before a source, compiled in advance: nvcc includes the run-time header in every .cu; and
/// <vector>, where the source begins with that.
std::string prelude(const SimOptions& options, const ProgramFile& source, bool thrust);

/// nvcc gives a source in C to the host's compiler as such. Here that holds for one that includes no header
/// of CUDA's.
bool is_c(const SimOptions& options, const StagedProgram& staged, const ProgramFile& source);

/// Sources in C stay as they are.
void leave_c(const SimOptions& options, StagedProgram& staged);

/// "-DN=16" as a line of a header. Read behind the simulator's headers it cannot break them, whatever they
/// call their parameters. Names that begin with an underscore are for headers: those stay options.
struct Defines {
  std::vector<std::string> options;
  std::string text;
};
Defines defines_of(const SimOptions& options);

}  // namespace workbook::cli
