#include "launch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "arena.h"
#include "diagnosis.h"
#include "runtime.h"
#include "symbols.h"

extern "C" bool workbook_sim_is_diagnosing();

namespace workbook::sim {
namespace {

// The workers of a fast build: the launching thread and one more for each further core. They take blocks
// from one counter, so uneven blocks balance themselves.
class WorkerPool {
 public:
  WorkerPool() {
    const unsigned extra = std::max(1u, std::thread::hardware_concurrency()) - 1;
    for (unsigned i = 0; i < extra; ++i) threads_.emplace_back([this] { serve(); });
  }

  ~WorkerPool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  void run(const Launch& launch) {
    next_ = 0;
    {
      std::lock_guard lock(mutex_);
      launch_ = &launch;
      working_ = threads_.size();
      ++round_;
    }
    wake_.notify_all();
    take_blocks(launch);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return working_ == 0; });
  }

 private:
  void take_blocks(const Launch& launch) {
    if (this_worker == nullptr) this_worker = new Worker;  // lives as long as its thread
    const std::uint64_t chunk = std::max<std::uint64_t>(1, launch.blocks / (16 * (threads_.size() + 1)));
    for (;;) {
      const std::uint64_t first = next_.fetch_add(chunk);
      if (first >= launch.blocks) return;
      for (std::uint64_t b = first; b < std::min(first + chunk, launch.blocks); ++b)
        this_worker->run_block(launch, b);
    }
  }

  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      const Launch* launch = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || round_ != seen; });
        if (stop_) return;
        seen = round_;
        launch = launch_;
      }
      take_blocks(*launch);
      std::lock_guard lock(mutex_);
      if (--working_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> threads_;
  const Launch* launch_ = nullptr;
  std::atomic<std::uint64_t> next_{0};
  std::uint64_t round_ = 0;
  std::size_t working_ = 0;
  bool stop_ = false;
};

Worker& main_worker() {
  if (this_worker == nullptr) this_worker = new Worker;
  return *this_worker;
}

std::string launch_error;

/// Empty when the configuration is one a GPU of compute capability 9.0 accepts.
std::string configuration_error(const LaunchConfig& c, std::size_t static_shared, std::size_t dynamic_limit) {
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  if (threads == 0 || c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0)
    return "the grid or the block is empty";
  if (threads > kMaxThreads || c.block.z > 64)
    return std::to_string(threads) + " threads a block, but a block has at most 1024";
  if (c.grid.x > 0x7fffffffu || c.grid.y > 65535 || c.grid.z > 65535)
    return "the grid is too large: at most 2147483647 x 65535 x 65535 blocks";
  if (static_shared > 48 * 1024)
    return std::to_string(static_shared) + " bytes of static shared memory, but at most 49152 are allowed";
  if (c.shared_bytes + static_shared > dynamic_limit)
    return std::to_string(c.shared_bytes + static_shared) +
           " bytes of shared memory a block, but the limit is " + std::to_string(dynamic_limit) +
           " (raise it with cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...), up "
           "to 232448)";
  return {};
}

std::size_t static_shared_of(const std::string& kernel) {
  const std::string name = kernel.substr(0, kernel.find('<'));
  std::size_t bytes = 0;
  for (const auto& v : shared_variables())
    if (!v.dynamic && v.kernel == name) bytes += v.bytes;
  return bytes;
}

struct Touched {
  std::int64_t read, written;
};

std::vector<Touched> touched_sectors() {
  std::vector<Touched> out;
  for (const auto& a : Arena::get().allocations()) out.push_back({a->sectors_read, a->sectors_written});
  return out;
}

/// Unique sectors of the whole grid from a sample: what each further block added, up to the tensor's size.
/// One block alone either touched the whole tensor, or its share is taken for its own.
std::int64_t extrapolate(std::int64_t first, std::int64_t all, std::uint64_t sampled, std::uint64_t blocks,
                         std::size_t bytes) {
  const double growth = sampled < 2 ? static_cast<double>(all)
                                    : static_cast<double>(all - first) / static_cast<double>(sampled - 1);
  const double total = static_cast<double>(all) + growth * static_cast<double>(blocks - sampled);
  return std::min<std::int64_t>(std::llround(total), static_cast<std::int64_t>((bytes + 31) / kSectorBytes));
}

/// Runs the first block, then others spread over the grid until about `budget` accesses were made.
std::uint64_t run_sampled(Worker& worker, const Launch& launch, std::uint64_t budget) {
  Diagnosis& diagnosis = Diagnosis::get();
  const std::uint64_t before = diagnosis.accesses;
  worker.run_block(launch, 0);
  const std::vector<Touched> first = touched_sectors();
  const std::uint64_t cost = std::max<std::uint64_t>(1, diagnosis.accesses - before);
  const std::uint64_t wanted = std::clamp<std::uint64_t>(budget / cost, 1, 64);
  if (wanted >= launch.blocks) {
    for (std::uint64_t b = 1; b < launch.blocks; ++b) worker.run_block(launch, b);
    return launch.blocks;
  }
  for (std::uint64_t i = 1; i < wanted; ++i) {
    // The golden ratio spreads any number of samples evenly, and no grid width resonates with it.
    const double position = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0);
    worker.run_block(launch,
                     1 + static_cast<std::uint64_t>(position * static_cast<double>(launch.blocks - 1)));
  }
  std::size_t i = 0;
  for (const auto& a : Arena::get().allocations()) {
    a->sectors_read = extrapolate(first[i].read, a->sectors_read, wanted, launch.blocks, a->bytes);
    a->sectors_written = extrapolate(first[i].written, a->sectors_written, wanted, launch.blocks, a->bytes);
    ++i;
  }
  return wanted;
}

}  // namespace

LaunchSettings& launch_settings() {
  static LaunchSettings settings;
  return settings;
}

const std::string& last_launch_error() { return launch_error; }

void submit(const LaunchConfig& config, const BoundKernel& kernel) {
  const std::size_t static_shared = static_shared_of(kernel.name);
  launch_error = configuration_error(config, static_shared, dynamic_shared_limit(kernel.function));
  if (!launch_error.empty()) {
    set_last_error(cudaErrorInvalidConfiguration);
    return;
  }
  static std::uint32_t generation = 0;
  Launch launch{&kernel,
                config.grid,
                config.block,
                config.block.x * config.block.y * config.block.z,
                std::uint64_t{config.grid.x} * config.grid.y * config.grid.z,
                config.shared_bytes,
                ++generation};
  FinishedLaunch finished{kernel.name,
                          {config.grid.x, config.grid.y, config.grid.z},
                          {config.block.x, config.block.y, config.block.z},
                          static_cast<std::int64_t>(static_shared + config.shared_bytes),
                          std::nullopt};
  if (workbook_sim_is_diagnosing()) {
    Diagnosis& diagnosis = Diagnosis::get();
    Worker& worker = main_worker();
    diagnosis.begin_launch(launch);
    const std::uint64_t barriers = worker.barriers, warp_operations = worker.warp_operations;
    std::uint64_t ran = launch.blocks;
    if (launch_settings().sample_accesses > 0)
      ran = run_sampled(worker, launch, launch_settings().sample_accesses);
    else
      for (std::uint64_t b = 0; b < launch.blocks; ++b) worker.run_block(launch, b);
    finished.counters = diagnosis.end_launch(ran);
    finished.counters->barriers =
        static_cast<std::int64_t>((worker.barriers - barriers) * launch.blocks / ran);
    finished.counters->warp_operations =
        static_cast<std::int64_t>((worker.warp_operations - warp_operations) * launch.blocks / ran);
  } else {
    static WorkerPool pool;
    pool.run(launch);
  }
  if (launch_settings().on_finished) launch_settings().on_finished(finished);
}

}  // namespace workbook::sim
