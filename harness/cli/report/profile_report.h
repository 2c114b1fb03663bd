// The profile of a run as a table: by kernel, by NVTX range, and the host's calls one by one.
#pragma once

#include <string>

#include "runs/json.h"

namespace workbook::cli {

std::string profile_text(const runs::RunRecord& record, const runs::Benchmark& benchmark, bool calls);
runs::Json profile_json(const runs::RunRecord& record, const runs::Benchmark& benchmark);
/// The tables alone, of the calls of a program: what `workbook sim --profile` prints.
std::string profile_tables(const runs::Benchmark& benchmark, const std::string& device);

}  // namespace workbook::cli
