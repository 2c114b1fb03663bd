// The verb of workbook_grade, for the programs that lack it.
#include "cli/commands/commands.h"
#include "cli/commands/elsewhere.h"

namespace workbook::cli {

int grade_command(const Project&, const GradeOptions&) { throw Elsewhere{"workbook_grade"}; }

}  // namespace workbook::cli
