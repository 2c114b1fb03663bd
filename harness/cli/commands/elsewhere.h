// Verbs that a first verdict does not need stand in programs of their own, so that nobody waits for what they
// are compiled of: workbook_more, and workbook_optimizer for what needs the optimizer. All programs read the
// same command line (command_line.cpp); where one lacks a verb, it becomes the program that has it.
#pragma once

#include "cli/base/errors.h"

namespace workbook::cli {

/// Becomes that program, with the same words. Started by bin/workbook it goes back there, where the program
/// is brought up to date first. Throws HarnessError where it cannot.
[[noreturn]] void go_on_in(const char* program, char** argv);

}  // namespace workbook::cli
