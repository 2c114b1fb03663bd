#include "large_fixture.h"

namespace workbook::viewer::fixture {

runs::StoredRun copy(const std::vector<std::int64_t>& shape, std::uint32_t elements_each) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  runs::StoredRun run;
  run.record.id = 1;
  run.record.puzzle = 1;
  run.record.puzzle_name = "01_map";
  run.record.puzzle_title = "Map";
  run.record.variant = "default";
  run.record.backend = runs::Backend::sim;
  run.record.verdict = runs::Verdict::correct;
  runs::Trace trace;
  trace.files = {"puzzles/01_map/kernels.cu"};
  for (int id = 0; id < 2; ++id) {
    runs::TensorInfo info;
    info.id = id;
    info.name = id == 0 ? "in" : "out";
    info.role = id == 0 ? runs::TensorRole::input : runs::TensorRole::output;
    info.shape = shape;
    info.bytes = elements * 4;
    trace.tensors.push_back(info);
  }
  const auto threads = static_cast<std::uint32_t>(elements / elements_each);
  runs::LaunchRecord launch;
  launch.kernel = "copy_kernel";
  launch.block = {256, 1, 1};
  launch.grid = {(threads + 255) / 256, 1, 1};
  trace.launches.push_back(launch);
  trace.events.reserve(std::size_t{threads} * 2);
  for (std::uint32_t i = 0; i < threads; ++i)
    for (const int id : {0, 1}) {
      runs::TraceEvent event;
      event.tensor = static_cast<std::uint16_t>(id);
      event.block = i / 256;
      event.thread = static_cast<std::uint16_t>(i % 256);
      event.line = 7;
      event.access = id == 0 ? runs::Access::read : runs::Access::write;
      event.element = i * elements_each;
      event.count = elements_each;
      trace.events.push_back(event);
    }
  run.trace = std::move(trace);
  return run;
}

}  // namespace workbook::viewer::fixture
