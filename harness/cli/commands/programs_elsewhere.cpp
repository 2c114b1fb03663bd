// Puzzles that are programs are run by workbook_more: for the program that lacks what they are compiled with.
#include "cli/commands/elsewhere.h"
#include "cli/run/program_run.h"

namespace workbook::cli {

void want_programs() { throw Elsewhere{"workbook_more"}; }
void run_program(const Project&, const RunRequest&, RunOutcome&) { want_programs(); }

}  // namespace workbook::cli
