// What `sweep` prints: a table of times, the crossings in words, and the same as JSON.
#pragma once

#include <string>
#include <vector>

#include "runs/json.h"
#include "runs/sweep.h"

namespace workbook::cli {

/// `left_out`: a sentence for each variant that was not timed.
std::string sweep_report(const runs::Sweep& sweep, const std::vector<std::string>& left_out);
runs::Json sweep_json(const runs::Sweep& sweep, const std::vector<std::string>& left_out);

/// Where two variants change places, or which is faster throughout; lines.
std::string crossing_text(const runs::Sweep& sweep, const std::string& a, const std::string& b);

}  // namespace workbook::cli
