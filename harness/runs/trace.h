// What was seen of the arrays of a run: the access trace of chosen blocks at the teaching shape (who touched
// which element, where in the source and in which step) and the arrays' contents beside what was expected.
// Written by the child program, kept compressed in the run's row, read by the viewer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::runs {

enum class Access : std::uint8_t { read = 0, write = 1, atomic = 2 };

/// One access of one thread. `step` counts the block-wide barriers that the block has passed.
struct TraceEvent {
  std::uint16_t launch = 0;  ///< index into Trace::launches
  std::uint16_t tensor = 0;  ///< TensorInfo::id in Trace::tensors
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

/// A thread took over values of lanes of its warp, by a shuffle or the like.
struct Handover {
  std::size_t before = 0;    ///< the index in Trace::events that follows it
  std::uint16_t launch = 0;  ///< as in TraceEvent, like block and thread
  std::uint32_t block = 0;
  std::uint16_t thread = 0;  ///< who took them
  std::uint32_t lanes = 0;   ///< whose, a bit each
};

/// A tensor's contents after all launches, row-major.
struct TensorValues {
  TensorInfo tensor;
  std::vector<float> got;       ///< NaN with every bit set where nothing was written
  std::vector<float> expected;  ///< empty for inputs
  double tolerance = 0.0;       ///< of an element, absolute; 0 for inputs
};

struct CaseValues {
  std::string on_case;  ///< CaseResult::name
  std::vector<TensorValues> tensors;
};

/// Cases with more elements than this keep no values: pictures of them would be as large as the run.
inline constexpr std::int64_t kMostValues = 1 << 20;

struct Trace {
  std::vector<std::string> files;
  std::vector<TensorInfo> tensors;     ///< of the teaching shape, shared arrays too; empty in old traces
  std::vector<LaunchRecord> launches;  ///< kernel, grid, block, shared_bytes; empty in old traces
  std::vector<CaseValues> values;      ///< the teaching case, and the first wrong one if that is another
  std::vector<TraceEvent> events;      ///< in the order the simulator executed them
  bool truncated = false;              ///< the limit was reached: later accesses are missing
  std::vector<Handover> handovers;     ///< where they were asked for; not in the blob
};

/// The blob form (versioned header, files, events, values; little-endian), compressed with zstd by
/// `compress`. Both readers throw std::runtime_error with a sentence when the bytes are not a trace of a
/// known version.
std::string serialize(const Trace& trace);
Trace deserialize(const std::string& bytes);
std::string compress(const std::string& bytes);
std::string decompress(const std::string& bytes);

}  // namespace workbook::runs
