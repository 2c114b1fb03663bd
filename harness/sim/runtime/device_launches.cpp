// Kernels that kernels launch (dynamic parallelism). What a thread launches is kept, with a copy of its
// arguments, and runs when the launching grid has ended, in the order of the launches: CUDA lets a child
// begin at any time before its parent counts as ended, and since CUDA 12 nothing in the parent can wait for
// it.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/check/child_launches.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/engine.h"
#include "sim/engine/kernel_info.h"
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
  std::uint64_t block, thread;  ///< of the parent, that launches it
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
  Kept* const kept = new (memory)
      Kept{nullptr, config, kernel, this_worker->block_linear(), this_worker->gid(*this_worker->current)};
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
  if (running_worker("a launch").loops) this_worker->loops->changed();
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

namespace {

/// In the order of their threads, whichever has had its turn first; what waits for all others last.
std::vector<Kept*> take_kept() {
  std::vector<Kept*> all;
  {
    const std::lock_guard lock(kept_mutex);
    for (Kept* next = std::exchange(first_kept, nullptr); next != nullptr; next = next->next)
      all.push_back(next);
    last_link = &first_kept;
  }
  const auto order = [](const Kept* kept) {
    return std::pair(kept->config.stream == cudaStreamTailLaunch, kept->thread);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Kept* a, const Kept* b) { return order(a) < order(b); });
  return all;
}

std::string name_of(const BoundKernel& kernel) {
  return kernel.name != nullptr ? kernel.name : kernel_info(kernel.function).name;
}

ChildLaunch described(const Kept& kept) {
  using Stream = ChildLaunch::Stream;
  const cudaStream_t stream = kept.config.stream;
  return {name_of(kept.kernel),
          {kept.config.file == nullptr ? "" : kept.config.file, kept.config.line},
          kept.block,
          kept.thread,
          stream == nullptr                   ? Stream::of_block
          : stream == cudaStreamTailLaunch    ? Stream::tail
          : stream == cudaStreamFireAndForget ? Stream::none
                                              : Stream::of_thread};
}

/// The child whose launch the calling thread runs now, and its siblings.
struct Running {
  ChildLaunch child;
  ChildLaunches* family;
};
thread_local const Running* running = nullptr;

}  // namespace

void run_device_launches(cudaStream_t stream, const BoundKernel& kernel) {
  const std::vector<Kept*> kept = take_kept();
  if (kept.empty() && running == nullptr) return;
  std::optional<ChildLaunches> family;
  if (workbook_sim_is_diagnosing() && !device_is_lost()) {
    Touched touched = ChildLaunches::touched();
    if (!kept.empty()) family.emplace(name_of(kernel), touched);
    if (running != nullptr) running->family->judge(running->child, std::move(touched));
  }
  const Running* const outer = running;
  for (Kept* const one : kept) {
    const Running now{described(*one), family ? &*family : nullptr};
    running = family ? &now : nullptr;
    one->config.stream = stream;  // the device's streams order nothing that runs one after another
    if (!device_is_lost()) submit(one->config, one->kernel);
    std::free(one);
  }
  running = outer;
}

}  // namespace workbook::sim

// What workbook_sim/thrust/values.h asks.
extern "C" {
bool workbook_sim_in_kernel() { return workbook::sim::in_kernel(); }
void workbook_sim_heap_without_limit(bool begins) { workbook::sim::DeviceHeap::get().lift_limit(begins); }
}
