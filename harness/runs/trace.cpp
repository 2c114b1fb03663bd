// Bytes of a trace: "WBTRACE2", flags, file names, events as they lie in memory (little-endian, 24 bytes
// each), a JSON text with tensors, launches and the shapes of the values, the values. "WBTRACE1" ends with
// the events.
#include "runs/trace.h"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "runs/json.h"

namespace workbook::runs {
namespace {

static_assert(std::endian::native == std::endian::little, "the events are written as they lie in memory");
static_assert(std::is_trivially_copyable_v<TraceEvent>);

constexpr std::string_view kMagic = "WBTRACE2", kMagic1 = "WBTRACE1";

void put(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& out, const std::vector<float>& values) {
  put(out, values.size());
  if (!values.empty())
    out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw std::runtime_error("the access trace is cut short");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::vector<float> floats() {
    const std::uint64_t count = number();
    if (count > rest_.size() / sizeof(float)) throw std::runtime_error("the access trace is cut short");
    std::vector<float> values(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(float)).data(), count * sizeof(float));
    return values;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

std::string outline(const Trace& trace) {
  Json json = {{"tensors", Json::array()}, {"launches", Json::array()}, {"values", Json::array()}};
  for (const TensorInfo& tensor : trace.tensors) json["tensors"].push_back(to_json(tensor));
  for (const LaunchRecord& launch : trace.launches) json["launches"].push_back(to_json(launch));
  for (const CaseValues& values : trace.values) {
    Json tensors = Json::array();
    for (const TensorValues& each : values.tensors)
      tensors.push_back({{"tensor", to_json(each.tensor)}, {"tolerance", each.tolerance}});
    json["values"].push_back({{"on_case", values.on_case}, {"tensors", std::move(tensors)}});
  }
  return dump(json);
}

void read_outline(const Json& json, Bytes& in, Trace& trace) {
  for (const Json& tensor : json.at("tensors")) trace.tensors.push_back(tensor_from_json(tensor));
  for (const Json& launch : json.at("launches")) trace.launches.push_back(launch_from_json(launch));
  for (const Json& entry : json.at("values")) {
    CaseValues values{entry.at("on_case").get<std::string>(), {}};
    for (const Json& each : entry.at("tensors")) {
      TensorValues tensor{tensor_from_json(each.at("tensor")), in.floats(), in.floats(),
                          each.at("tolerance").get<double>()};
      values.tensors.push_back(std::move(tensor));
    }
    trace.values.push_back(std::move(values));
  }
}

}  // namespace

std::string serialize(const Trace& trace) {
  std::string out(kMagic);
  out.reserve(64 + trace.events.size() * sizeof(TraceEvent));
  put(out, trace.truncated ? 1 : 0);
  put(out, trace.files.size());
  for (const std::string& file : trace.files) {
    put(out, file.size());
    out += file;
  }
  put(out, trace.events.size());
  if (!trace.events.empty())
    out.append(reinterpret_cast<const char*>(trace.events.data()), trace.events.size() * sizeof(TraceEvent));
  const std::string text = outline(trace);
  put(out, text.size());
  out += text;
  for (const CaseValues& values : trace.values)
    for (const TensorValues& each : values.tensors) {
      put(out, each.got);
      put(out, each.expected);
    }
  return out;
}

Trace deserialize(const std::string& bytes) {
  const bool old = std::string_view(bytes).starts_with(kMagic1);
  if (!old && !std::string_view(bytes).starts_with(kMagic))
    throw std::runtime_error("these bytes are not an access trace of a version that this workbook knows");
  Bytes in(std::string_view(bytes).substr(kMagic.size()));
  Trace trace;
  trace.truncated = in.number() != 0;
  for (std::uint64_t files = in.number(); files > 0; --files) trace.files.emplace_back(in.take(in.number()));
  const std::uint64_t events = in.number();
  if (events > in.left() / sizeof(TraceEvent)) throw std::runtime_error("the access trace is cut short");
  const std::string_view raw = in.take(events * sizeof(TraceEvent));
  trace.events.resize(events);
  if (events > 0) std::memcpy(trace.events.data(), raw.data(), raw.size());
  if (!old) {
    const std::string_view text = in.take(in.number());
    try {
      read_outline(parse_json(text), in, trace);
    } catch (const Json::exception& error) {
      throw std::runtime_error(std::string("the access trace cannot be read: ") + error.what());
    }
  }
  if (in.left() > 0) throw std::runtime_error("the access trace has bytes after its end");
  for (const TraceEvent& event : trace.events)
    if (event.file >= trace.files.size() || static_cast<std::uint8_t>(event.access) > 2)
      throw std::runtime_error("the access trace names a file or an access that does not exist");
  return trace;
}

}  // namespace workbook::runs
