// Kernels that kernels launch (dynamic parallelism). What a thread launches is kept, with a copy of its
// arguments, and runs when the launching grid has ended, in the order of the launches: CUDA lets a child
// begin at any time before its parent counts as ended, and since CUDA 12 nothing in the parent can wait for
// it.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "sim/engine/device_heap.h"
#include "sim/engine/engine.h"
#include "sim/engine/loop_watch.h"
#include "sim/engine/runtime.h"
#include "sim/runtime/crossings.h"
#include "workbook_sim/runtime/stream.h"

namespace workbook::sim {
namespace {

/// In one block of memory with its arguments, from malloc(): a container's code may be the learner's
/// object's, and in a kernel that takes from the device's heap.
struct Kept {
  Kept* next;
  LaunchConfig config;
  BoundKernel kernel;
};

constexpr std::size_t kAlignment = 64;  // of arguments, as of those that graphs keep
constexpr std::size_t aligned(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::mutex kept_mutex;
Kept* first_kept = nullptr;
Kept** last_link = &first_kept;

Kept* keep(const LaunchConfig& config, const BoundKernel& kernel) {
  const KernelSignature& signature = *kernel.signature;
  std::size_t bytes = aligned(sizeof(Kept) + signature.count * sizeof(void*), kAlignment);
  for (std::size_t i = 0; i < signature.count; ++i)
    bytes = aligned(bytes, signature.parameters[i].alignment) + signature.parameters[i].bytes;
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(kAlignment, aligned(bytes, kAlignment)));
  if (memory == nullptr) return nullptr;
  Kept* const kept = new (memory) Kept{nullptr, config, kernel};
  kept->kernel.arguments = reinterpret_cast<void**>(memory + sizeof(Kept));
  std::size_t place = aligned(sizeof(Kept) + signature.count * sizeof(void*), kAlignment);
  for (std::size_t i = 0; i < signature.count; ++i) {
    place = aligned(place, signature.parameters[i].alignment);
    kept->kernel.arguments[i] = memory + place;
    std::memcpy(memory + place, kernel.arguments[i], signature.parameters[i].bytes);
    place += signature.parameters[i].bytes;
  }
  return kept;
}

}  // namespace

bool in_kernel() { return this_worker != nullptr && this_worker->current != nullptr; }

cudaError_t keep_device_launch(const LaunchConfig& config, const BoundKernel& kernel) {
  if (this_worker->loops) this_worker->loops->changed();
  {
    const EngineScope scope;
    check_child_arguments(config, kernel);
  }
  Kept* const kept = keep(config, kernel);
  if (kept == nullptr) return cudaErrorMemoryAllocation;
  const std::lock_guard lock(kept_mutex);
  *last_link = kept;
  last_link = &kept->next;
  return cudaSuccess;
}

void run_device_launches(cudaStream_t stream) {
  Kept* next;
  {
    const std::lock_guard lock(kept_mutex);
    next = std::exchange(first_kept, nullptr);
    last_link = &first_kept;
  }
  while (next != nullptr) {
    Kept* const kept = std::exchange(next, next->next);
    kept->config.stream = stream;  // the device's streams order nothing that runs one after another
    if (!device_is_lost()) submit(kept->config, kept->kernel);
    std::free(kept);
  }
}

}  // namespace workbook::sim

// What workbook_sim/thrust/values.h asks.
extern "C" {
bool workbook_sim_in_kernel() { return workbook::sim::in_kernel(); }
void workbook_sim_heap_without_limit(bool begins) { workbook::sim::DeviceHeap::get().lift_limit(begins); }
}
