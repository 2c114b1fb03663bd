// The access trace of chosen blocks: who touched which element, where in the source and in which step.
// Written by the simulator for the teaching shape, kept compressed in the run's row, read by the viewer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook::runs {

enum class Access : std::uint8_t { read = 0, write = 1, atomic = 2 };

/// One access of one thread. `step` counts the block-wide barriers that the block has passed.
struct TraceEvent {
  std::uint16_t launch = 0;  ///< index into Benchmark::launches of the benchmark called "teaching"
  std::uint16_t tensor = 0;  ///< TensorInfo::id in that benchmark
  std::uint32_t block = 0;   ///< linear: x + grid.x * (y + grid.y * z)
  std::uint16_t thread = 0;  ///< linear: x + block.x * (y + block.y * z)
  std::uint16_t step = 0;
  std::uint16_t line = 0;  ///< of `file`
  std::uint8_t file = 0;   ///< index into Trace::files
  Access access = Access::read;
  std::uint32_t element = 0;  ///< linear index of the first element
  std::uint32_t count = 1;    ///< consecutive elements (4 for a float4)
};
static_assert(sizeof(TraceEvent) == 24);

struct Trace {
  std::vector<std::string> files;
  std::vector<TraceEvent> events;  ///< in the order the simulator executed them
  bool truncated = false;          ///< the limit was reached: later accesses are missing
};

/// The blob form (versioned header, files, events; little-endian), compressed with zstd by `compress`.
/// Both readers throw std::runtime_error with a sentence when the bytes are not a trace of a known version.
std::string serialize(const Trace& trace);
Trace deserialize(const std::string& bytes);
std::string compress(const std::string& bytes);
std::string decompress(const std::string& bytes);

}  // namespace workbook::runs
