#include "counts.h"

#include "diagnosis.h"

namespace workbook::sim {

void Counts::begin_launch(Scene& scene, const Launch& launch) {
  atomics = 0;
  if (scene.modes.count)
    log.begin_launch(launch.block_threads, [](bool shared, std::uint32_t word) {
      return Diagnosis::get().tensor_at(shared, word);
    });
}

}  // namespace workbook::sim
