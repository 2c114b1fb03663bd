// The words of the command line, turned into one call of a command.
#pragma once

namespace workbook::cli {

/// Parses and runs; returns the exit status. Prints what went wrong, throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace workbook::cli
