// The trace: every access to a tensor or to shared memory, in order, for the viewer.
#pragma once

#include <algorithm>
#include <vector>

#include "check.h"

namespace workbook::sim {

/// An item in whose place there is a runs::Handover: `element` is whose lanes.
inline constexpr std::uint16_t kHandover = 0xffff;  // TraceEvent::tensor

struct TraceItem {
  runs::TraceEvent event;
  std::uint32_t pc_offset;
};

class Tracing : public Check {
 public:
  template <class Kind>
  WORKBOOK_HOT bool see(Scene& scene, const Access& a) {
    if (scene.modes.trace) [[unlikely]] {
      if (Kind::kSpace == Space::arena && a.allocation->id >= 0)
        add(scene, a, Kind::kKind, a.allocation->id,
            (a.offset - a.allocation->offset) / a.allocation->element_bytes,
            static_cast<std::uint32_t>(a.allocation->element_bytes));
      if (Kind::kSpace == Space::shared || Kind::kSpace == Space::cluster)
        add(scene, a, Kind::kKind, shared_id(scene, *a.array), (a.address - a.array->begin) / 4, 4);
    }
    return true;
  }

  /// As WorkerEvents::see_exchange() tells it.
  void hand_on(const Scene& scene, std::uint32_t first, std::uint32_t lanes, const std::uint32_t* whose);

  std::vector<TraceItem> items;
  bool truncated = false;

 private:
  static int shared_id(const Scene& scene, const SharedArray& array);
  void add(Scene& scene, Access access, runs::Access kind, int tensor, std::uint64_t element,
           std::uint32_t element_bytes);
};

}  // namespace workbook::sim
