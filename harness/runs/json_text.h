// JSON both ways as text, for those who look at no part of it: they are spared what it is made of (json.h).
#pragma once

#include <string>
#include <string_view>

#include "runs/record.h"
#include "runs/sweep.h"

namespace workbook::runs {

/// One line.
std::string json_text(const RunRecord& record);
std::string json_text(const ProgramReport& report);
std::string json_text(const Sweep& sweep);

/// Strict, as run_from_json(); what is not JSON at all throws std::runtime_error saying where it breaks.
RunRecord parse_run(std::string_view text);
ProgramReport parse_program_report(std::string_view text);
Sweep parse_sweep(std::string_view text);

}  // namespace workbook::runs
