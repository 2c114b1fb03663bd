// From addresses to names: source lines of return addresses (libbacktrace) and shared variables (ELF
// symbols).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine.h"
#include "runs/record.h"

namespace workbook::sim {

/// The line of the call that returned to `pc`: the innermost inlined frame that is not in the simulator's own
/// headers or the standard library. File as the compiler saw it (staged sources carry #line). line 0:
/// unknown.
runs::SourceLine source_line(Pc pc);

/// A shared variable of the program: `offset` from the start of this thread's thread-local block.
struct SharedVariable {
  std::string name;
  std::string kernel;  ///< the function it is declared in, without arguments; empty at namespace scope
  std::uintptr_t offset = 0;
  std::size_t bytes = 0;
  bool dynamic = false;  ///< extern __shared__: its size is the launch's
};

/// All shared variables, by offset; variables of one dynamic array share an entry.
const std::vector<SharedVariable>& shared_variables();

/// Where the calling thread's thread-local block begins.
std::uintptr_t thread_local_base();

/// Whether `address` lies in code or static data of the program (constants, __constant__ and __device__
/// variables).
bool in_program_image(std::uintptr_t address);

}  // namespace workbook::sim
