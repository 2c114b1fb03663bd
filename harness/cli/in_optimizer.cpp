// The verbs of workbook_optimizer, for the programs that lack them.
#include "cli/commands/commands.h"
#include "cli/commands/elsewhere.h"

namespace workbook::cli {

int derive_command(const Project&, const std::string&, bool, bool) { throw Elsewhere{"workbook_optimizer"}; }
int optimize_command(const Project&, const OptimizeOptions&) { throw Elsewhere{"workbook_optimizer"}; }

}  // namespace workbook::cli
