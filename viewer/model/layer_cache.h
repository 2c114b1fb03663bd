// Layers that were made before, and those being made: small ones at once, large ones in the background so
// that no frame waits for them.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "model/layer.h"

namespace workbook::viewer {

class LayerCache {
 public:
  /// Forgets everything when `owner`, which keeps the index alive, is another than before.
  void use(const std::shared_ptr<const void>& owner);
  /// Nothing yet while it is being made; nothing ever for what cannot be drawn. `wait`: makes it now.
  std::shared_ptr<const Layer> get(const AccessIndex& index, const LayerRequest& request, std::int64_t wrap,
                                   bool wait);

 private:
  using Made = std::shared_ptr<const Layer>;
  struct Entry {
    LayerRequest request;
    Made layer;
    std::future<Made> coming;
    std::int64_t cells = 0;
  };
  void make_room();

  std::shared_ptr<const void> owner_;
  std::vector<Entry> entries_;  // oldest first
};

}  // namespace workbook::viewer
