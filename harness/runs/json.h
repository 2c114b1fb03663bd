// JSON both ways for run records: the child program's report.json, `--json`, exported runs, the store's rows.
// NaN travels as null, infinities as "inf" and "-inf"; sizes as an object in declaration order.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runs/json_text.h"
#include "runs/record.h"
#include "runs/sweep.h"

namespace workbook::runs {

using Json = nlohmann::ordered_json;
struct FusionRecord;   // fusion.h
struct ListingRecord;  // listing.h

Json to_json(const RunRecord& record);
Json to_json(const Benchmark& benchmark);
Json to_json(const CaseResult& result);
Json to_json(const Finding& finding);
Json to_json(const ProgramReport& report);
Json to_json(const LaunchCounters& counters);
Json to_json(const ModelledTime& time);
Json to_json(const TensorInfo& tensor);
Json to_json(const LaunchRecord& launch);
Json to_json(const Sweep& sweep);
Json to_json(const FusionRecord& record);
Json to_json(const ListingRecord& record);

/// Strict: a missing number or text, a value of the wrong type and an unknown field throw
/// std::runtime_error with a sentence that names the place. Lists and optional parts may be absent.
RunRecord run_from_json(const Json& json);

LaunchRecord launch_from_json(const Json& json);
TensorInfo tensor_from_json(const Json& json);
FusionRecord fusion_from_json(const Json& json);
ListingRecord listing_from_json(const Json& json);
/// What is not JSON throws std::runtime_error saying where it breaks.
Json parse_json(std::string_view text);

/// One line (indent < 0) or indented text. Bytes that are not UTF-8 are replaced, never thrown upon.
std::string dump(const Json& json, int indent = -1);

}  // namespace workbook::runs
