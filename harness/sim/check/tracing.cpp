#include "tracing.h"

#include "diagnosis.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kTraceLimit = 2'000'000;  // events; 24 bytes each before compression

}  // namespace

int Tracing::shared_id(const Scene& scene, const SharedArray& array) {
  return Diagnosis::get().first_shared_id + static_cast<int>(&array - scene.arrays.data());
}

void Tracing::add(Scene& scene, Access access, runs::Access kind, int tensor, std::uint64_t element,
                  std::uint32_t element_bytes) {
  if (items.size() >= kTraceLimit) {
    truncated = true;
    return;
  }
  const SimThread& t = *scene.worker.current;
  runs::TraceEvent e;
  e.launch = static_cast<std::uint16_t>(Diagnosis::get().trace_launch());
  e.tensor = static_cast<std::uint16_t>(tensor);
  e.block = static_cast<std::uint32_t>(scene.worker.block_linear());
  e.thread = static_cast<std::uint16_t>(t.linear);
  e.step = static_cast<std::uint16_t>(std::min<std::uint32_t>(t.barriers, 0xffff));
  e.access = kind;
  e.element = static_cast<std::uint32_t>(element);
  e.count = std::max<std::uint32_t>(1, access.bytes / element_bytes);
  const EngineScope scope;
  items.push_back({e, access.pc_offset()});
}

void Tracing::hand_on(const Scene& scene, std::uint32_t first, std::uint32_t lanes,
                      const std::uint32_t* whose) {
  const EngineScope scope;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    if (items.size() >= kTraceLimit) {
      truncated = true;
      return;
    }
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    runs::TraceEvent e;
    e.launch = static_cast<std::uint16_t>(Diagnosis::get().trace_launch());
    e.tensor = kHandover;
    e.block = static_cast<std::uint32_t>(scene.worker.block_linear());
    e.thread = static_cast<std::uint16_t>(first + lane);
    e.element = whose[lane];
    items.push_back({e, 0});
  }
}

}  // namespace workbook::sim
