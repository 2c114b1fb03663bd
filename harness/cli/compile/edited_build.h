// The program of a source that is a small edit of another: what differs is compiled, and what does not comes
// from an object of the other that all its edits share. Mutants are most of what is compiled in CI.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/compile/toolchain.h"
#include "translate/changed_kernels.h"

namespace workbook::cli {

/// Compiles and links `child` of what differs and of what the source was before. False where that cannot be,
/// or fails: then all of it has to be compiled. The source is staged in the folder of `child`.
bool build_edited(const Project& project, const Puzzle& puzzle, const Source& source,
                  const std::vector<std::string>& command, const std::filesystem::path& declaration,
                  const std::vector<std::string>& libraries, const std::filesystem::path& child);

/// The sources that take the place of a program's, where what differs can be compiled alone.
std::optional<sim::EditedProgram> edited_program_of(const Puzzle& puzzle, const Source& source);

}  // namespace workbook::cli
