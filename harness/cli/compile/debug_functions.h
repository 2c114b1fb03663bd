// The functions of an object file and what was inlined into them, from its debug information (DWARF 4 and 5,
// as far as g++ and clang write it with -g1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/compile/elf_object.h"
#include "runs/record.h"

namespace workbook::cli {

/// A function as its source declares it.
struct DeclaredFunction {
  std::string name;    ///< without its scope: "push_back", "twice<int>"
  std::string symbol;  ///< mangled; that of a constructor may stand for all its forms (C4)
  runs::SourceLine at;
};

/// A function that was compiled, or a call of one that was inlined.
struct CompiledFunction {
  DeclaredFunction declared;
  runs::SourceLine call;             ///< where it was inlined; line 0: it stands on its own
  std::vector<std::size_t> inlined;  ///< what was inlined into it, indices
};

/// All of them; callers before what was inlined into them. Functions that are only declared are among them:
/// they have nothing in them. Debug information of another kind gives none.
std::vector<CompiledFunction> debug_functions(const ElfObject& object);

}  // namespace workbook::cli
