// Where what learner programs are compiled and linked with lies: where this build put it, or, for a program
// that was installed, beside that (installed.h). CMake writes build_config.cpp, and that alone differs
// between a learner's configuration and one with viewer, GPU and tests.
#pragma once

#include <string_view>

namespace workbook::cli::build {

extern const std::string_view kVersion;
extern const bool kInstalled;         ///< then nothing below is written to
extern const char* const kSourceDir;  ///< puzzles, solutions, harness
extern const char* const kCxx;
extern const char* const kLinker;  ///< the compiler's option for a faster linker; empty: there is none
extern const char* const kNvcc;    ///< empty: look on PATH

/// Directories for -I, separated by ';'.
extern const std::string_view kSimIncludes;
extern const std::string_view kProgramIncludes;  ///< of `workbook sim`
extern const std::string_view kPuzzleIncludes;   ///< of puzzle.cpp
extern const std::string_view kCudaIncludes;
/// Directories for -isystem: libcu++, searched after the simulator's own headers of the same names.
extern const std::string_view kSimSystemIncludes;

/// Files and -l options for the linker, separated by ';'; empty when that backend was not built.
extern const std::string_view kSimLibraries;
extern const std::string_view kProgramLibraries;   ///< of `workbook sim`
extern const std::string_view kKernelsLibraries;   ///< of kernels whose judge is another program
extern const std::string_view kJudgeLibraries;     ///< of that, beside a declaration
extern const std::string_view kDescribeLibraries;  ///< of a declaration alone
extern const std::string_view kCudaLibraries;
extern const std::string_view kCudaTimingLibraries;   ///< of a program that has a main() of its own
extern const std::string_view kCudaKernelsLibraries;  ///< as kKernelsLibraries
extern const std::string_view kOpLibraries;           ///< of a library that Python loads, for the GPU

extern const char* const kViewer;  ///< where it is once it was built
extern const char* const kBook;    ///< its site, likewise

}  // namespace workbook::cli::build
