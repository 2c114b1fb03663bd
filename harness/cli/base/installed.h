// A workbook that was installed (cmake/package.cmake) instead of built where it runs. Its programs lie in
// HOME/bin, and HOME, that is PREFIX/lib/workbook wherever PREFIX was moved to, has all that they need:
// HOME/lib what kernels are linked with, HOME/{harness,puzzles,solutions,book,cccl} what they are compiled
// with and what is read. None of it is written to.
#pragma once

#include <string>

namespace workbook::cli {

/// Whether this program is one of an installed workbook.
bool is_installed();
/// What that says of its version; empty: not installed. Part of the key of everything that is kept of a
/// compiler: files of two packages may have one time.
std::string installed_version();
/// The text with HOME in place of each "%home%". It lives as long as the program.
const char* in_installed(const char* text);

/// The system's g++, where that is 12 or newer; else the newest g++-NN that there is; "/usr/bin/g++" where
/// there is none.
const char* installed_compiler();
/// The option for the fast linker where this system has it, else "".
const char* installed_linker();

}  // namespace workbook::cli
