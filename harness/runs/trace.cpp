// Bytes of a trace: "WBTRACE1", flags, file names, events as they lie in memory (little-endian, 24 bytes
// each).
#include "runs/trace.h"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace workbook::runs {
namespace {

static_assert(std::endian::native == std::endian::little, "the events are written as they lie in memory");
static_assert(std::is_trivially_copyable_v<TraceEvent>);

constexpr std::string_view kMagic = "WBTRACE1";

void put(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
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
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

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
  return out;
}

Trace deserialize(const std::string& bytes) {
  if (!std::string_view(bytes).starts_with(kMagic))
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
  if (in.left() > 0) throw std::runtime_error("the access trace has bytes after its end");
  for (const TraceEvent& event : trace.events)
    if (event.file >= trace.files.size() || static_cast<std::uint8_t>(event.access) > 2)
      throw std::runtime_error("the access trace names a file or an access that does not exist");
  return trace;
}

}  // namespace workbook::runs
