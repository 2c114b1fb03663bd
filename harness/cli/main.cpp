// The `workbook` command.
#include <signal.h>

#include "cli/base/process.h"
#include "cli/base/raw_terminal.h"
#include "cli/commands/command_line.h"

namespace {

// Compilers and learner programs run in process groups of their own, which Ctrl-C does not reach.
void end_with_children(int number) {
  workbook::cli::kill_all_processes();
  workbook::cli::RawTerminal::restore();
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

int main(int argc, char** argv) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, end_with_children);
  return workbook::cli::run_command_line(argc, argv);
}
