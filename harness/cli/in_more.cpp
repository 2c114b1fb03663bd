// The verbs of workbook_more, for the program that lacks them.
#include "cli/commands/commands.h"
#include "cli/commands/elsewhere.h"

namespace workbook::cli {

int begin_command(const Project&, const std::string&) { throw Elsewhere{"workbook_more"}; }
int compare_command(const Project&, const std::string&, const std::vector<std::string>&, const std::string&,
                    bool) {
  throw Elsewhere{"workbook_more"};
}
int export_command(const Project&, const std::vector<std::string>&, const std::string&, const std::string&) {
  throw Elsewhere{"workbook_more"};
}
int import_command(const Project&, const std::vector<std::string>&) { throw Elsewhere{"workbook_more"}; }
int listing_command(const Project&, const RunOptions&, ListingForm, const ListingOptions&) {
  throw Elsewhere{"workbook_more"};
}
int mutants_command(const Project&, const std::string&, const std::string&, const std::string&, bool) {
  throw Elsewhere{"workbook_more"};
}
int new_command(const Project&, const std::string&, const std::string&) { throw Elsewhere{"workbook_more"}; }
int op_command(const Project&, const OpOptions&) { throw Elsewhere{"workbook_more"}; }
int profile_command(const Project&, const std::string&, const std::vector<std::string>&,
                    const ProfileOptions&) {
  throw Elsewhere{"workbook_more"};
}
int sanitize_command(const Project&, const RunOptions&, const std::string&) {
  throw Elsewhere{"workbook_more"};
}
int sim_command(const Project&, const std::vector<std::string>&) { throw Elsewhere{"workbook_more"}; }
int sweep_command(const Project&, const SweepOptions&) { throw Elsewhere{"workbook_more"}; }
int verify_command(const Project&, const std::string&, bool, bool, bool) { throw Elsewhere{"workbook_more"}; }

}  // namespace workbook::cli
