// puzzle.cpp, compiled once and kept: as an object for the child programs, and as what it declares.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::cli {

/// The object of `folder`/puzzle.cpp, made where it is missing or out of date; kept in `state`. Throws
/// HarnessError with the compiler's words.
std::filesystem::path declaration_object(const std::filesystem::path& folder,
                                         const std::filesystem::path& state);

/// The program that judges kernels which run in another (harness/apart), made as above. Throws HarnessError.
std::filesystem::path judge_program(const std::filesystem::path& folder, const std::filesystem::path& state);

/// What the puzzle declares, as JSON text: from `folder`/declared.json where that was made of this
/// puzzle.cpp, else by compiling it. Throws HarnessError.
std::string declared(const std::filesystem::path& folder, const std::filesystem::path& state);

/// What a caller of the puzzle's variants has to know, as JSON text (core::describe_calls). Throws
/// HarnessError.
std::string declared_calls(const std::filesystem::path& folder, const std::filesystem::path& state);

/// What `folder`/declared.json should hold: made anew.
std::string declare(const std::filesystem::path& folder, const std::filesystem::path& state);

}  // namespace workbook::cli
