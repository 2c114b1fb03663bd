// What puzzles, programs and declarations are compiled with alike, and the key that says whether what was
// made of them is still theirs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

/// Parts of a list of build_config.h.
std::vector<std::string> split_list(std::string_view list);

/// A char, and a product that is added to, mean the same on every processor. All that computes what a kernel
/// is compared with is compiled with them (CMakeLists.txt sets them for the workbook's own code).
inline constexpr const char* kSameArithmetic[] = {"-fsigned-char", "-ffp-contract=off"};

/// Changes when sources, flags, the workbook's own headers or the very libraries do: when the key is the
/// same, so is the program.
std::string build_key(const std::string& texts, const std::vector<std::string>& command,
                      const std::vector<std::string>& libraries);

}  // namespace workbook::cli
