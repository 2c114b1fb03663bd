#include "runs/json.h"

#include "runs/fields.h"
#include "runs/json_walk.h"

namespace workbook::runs {

using walk::read_as, walk::write;

Json to_json(const RunRecord& record) { return write(record); }
Json to_json(const Benchmark& benchmark) { return write(benchmark); }
Json to_json(const CaseResult& result) { return write(result); }
Json to_json(const Finding& finding) { return write(finding); }
Json to_json(const ProgramReport& report) { return write(report); }
Json to_json(const LaunchCounters& counters) { return write(counters); }
Json to_json(const ModelledTime& time) { return write(time); }
Json to_json(const TensorInfo& tensor) { return write(tensor); }
Json to_json(const LaunchRecord& launch) { return write(launch); }
Json to_json(const Sweep& sweep) { return write(sweep); }

RunRecord run_from_json(const Json& json) { return read_as<RunRecord>(json); }
LaunchRecord launch_from_json(const Json& json) { return read_as<LaunchRecord>(json); }
TensorInfo tensor_from_json(const Json& json) { return read_as<TensorInfo>(json); }

Json parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw std::runtime_error("this is not JSON: it breaks at byte " + std::to_string(error.byte) + " of " +
                             std::to_string(text.size()));
  }
}

RunRecord parse_run(std::string_view text) { return run_from_json(parse_json(text)); }
ProgramReport parse_program_report(std::string_view text) { return read_as<ProgramReport>(parse_json(text)); }
Sweep parse_sweep(std::string_view text) { return read_as<Sweep>(parse_json(text)); }

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string json_text(const RunRecord& record) { return dump(to_json(record)); }
std::string json_text(const ProgramReport& report) { return dump(to_json(report)); }
std::string json_text(const Sweep& sweep) { return dump(to_json(sweep)); }

}  // namespace workbook::runs
