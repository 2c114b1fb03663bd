// A whole program under the simulator: records what its launches do and leaves a runs::ProgramReport when it
// ends, however it ends. Linked into the programs of `workbook sim` only, which ask the linker for
// workbook_sim_program.
#pragma once

#include "runs/record.h"

namespace workbook::sim {

/// The report of all launches until now. Takes the findings out of the diagnosis.
runs::ProgramReport take_program_report();

}  // namespace workbook::sim
