#include "model/layer_cache.h"

#include <algorithm>
#include <chrono>

namespace workbook::viewer {
namespace {

constexpr std::int64_t kAtOnce = 1 << 20;       // elements and events: about 10 ms
constexpr std::int64_t kMostKept = 48ll << 20;  // cells, 8 bytes each: pictures on screen hold their own

}  // namespace

void LayerCache::use(const std::shared_ptr<const void>& owner) {
  if (owner == owner_) return;
  entries_.clear();
  owner_ = owner;
}

std::shared_ptr<const Layer> LayerCache::get(const AccessIndex& index, const LayerRequest& request,
                                             std::int64_t wrap, bool wait) {
  auto entry = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& each) { return each.request == request; });
  if (entry == entries_.end()) {
    const runs::TensorInfo* info = index.tensor(request.place.tensor);
    if (info == nullptr) return nullptr;
    make_room();
    const auto make = [&index, request, wrap, keep = owner_]() -> Made {
      auto layer = make_layer(index, request, wrap);
      return layer ? std::make_shared<const Layer>(std::move(*layer)) : nullptr;
    };
    const std::int64_t cells = make_grid(info->shape).elements;
    const auto work = cells + static_cast<std::int64_t>(index.events_at(request.place).size());
    entries_.push_back({request, nullptr, {}, cells});
    entry = entries_.end() - 1;
    if (wait || work <= kAtOnce || cells > kMostElements)
      entry->layer = make();
    else
      entry->coming = std::async(std::launch::async, make);
  }
  if (entry->coming.valid() &&
      (wait || entry->coming.wait_for(std::chrono::seconds(0)) == std::future_status::ready))
    entry->layer = entry->coming.get();
  return entry->layer;
}

void LayerCache::make_room() {
  std::int64_t kept = 0;
  for (const Entry& each : entries_) kept += each.cells;
  for (auto at = entries_.begin(); at != entries_.end() && kept > kMostKept;) {
    if (at->coming.valid()) {
      ++at;
      continue;
    }
    kept -= at->cells;
    at = entries_.erase(at);
  }
}

}  // namespace workbook::viewer
