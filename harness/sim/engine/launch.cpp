#include "launch.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "arena.h"
#include "kernel_info.h"
#include "launch_check.h"
#include "launch_watch.h"
#include "loop_watch.h"
#include "progress.h"
#include "replay.h"
#include "runtime.h"
#include "sample.h"
#include "sim/source/symbols.h"
#include "team.h"
#include "turns.h"

namespace workbook::sim {
namespace {

std::atomic<cudaError_t> abort_error{cudaSuccess};

/// Runs blocks on the calling OS thread.
void begin_worker(const Launch& launch) {
  if (this_worker == nullptr) this_worker = new Worker;  // lives as long as its thread
  LaunchWatch::get().join(*this_worker);
  this_worker->begin_launch(launch);
}

// The launching thread and one more for each further core. They take blocks from one counter, so uneven
// blocks balance themselves.
class WorkerPool {
 public:
  static WorkerPool& get() {
    static WorkerPool* const pool = new WorkerPool;  // its threads end with the process
    return *pool;
  }

  /// The workers that took part. `alone`: the calling thread takes all blocks, unless more() is asked for.
  std::vector<Worker*> run(const Launch& launch, bool alone) {
    {
      const std::lock_guard lock(mutex_);
      launch_ = &launch;
      workers_.clear();
      working_ = alone ? 0 : threads_;
      round_ += !alone;
    }
    if (!alone) wake_.notify_all();
    take_blocks(launch);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return working_ == 0; });
    launch_ = nullptr;
    return workers_;
  }

  bool more() {
    const std::lock_guard lock(mutex_);
    if (launch_ == nullptr || LaunchWatch::get().all_taken()) return false;
    if (threads_ + 1 >= launch_->most_waiting()) return false;
    ++working_;
    add_thread(launch_);
    return true;
  }

 private:
  WorkerPool() {
    const unsigned extra = std::max(1u, std::thread::hardware_concurrency()) - 1;
    for (unsigned i = 0; i < extra; ++i) add_thread(nullptr);
  }

  /// `first`: a launch under way that the thread is to help with.
  void add_thread(const Launch* first) {
    std::thread([this, first, seen = round_] {
      // The watchdog, which blocks every signal, may be the one that asks for this thread.
      sigset_t none;
      sigemptyset(&none);
      pthread_sigmask(SIG_SETMASK, &none, nullptr);
      serve(first, seen);
    }).detach();
    ++threads_;
  }

  void take_blocks(const Launch& launch) {
    // One at a time where blocks may wait for each other: as many as a GPU may hold at once, or if they are
    // looked at.
    constexpr std::uint64_t kMostAtOnce = 4096;
    const bool single = launch.blocks <= kMostAtOnce || workbook_sim_is_diagnosing();
    const std::uint64_t chunk = single ? 1 : launch.blocks / (16 * std::thread::hardware_concurrency() + 1);
    bool begun = false;
    std::uint64_t first = 0;
    while (const std::uint64_t count = LaunchWatch::get().take(std::max<std::uint64_t>(1, chunk), first)) {
      if (!begun) {
        begin_worker(launch);
        const std::lock_guard lock(mutex_);
        workers_.push_back(this_worker);
        begun = true;
      }
      for (std::uint64_t b = first; b < first + count; ++b)
        if (abort_error == cudaSuccess)
          this_worker->run_block(launch, b);
        else
          LaunchWatch::get().block_ended();
    }
  }

  void serve(const Launch* launch, std::uint64_t seen) {
    for (;;) {
      if (launch != nullptr) {
        take_blocks(*launch);
        const std::lock_guard lock(mutex_);
        if (--working_ == 0) done_.notify_one();
      }
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      launch = launch_;
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<Worker*> workers_;
  const Launch* launch_ = nullptr;
  std::uint64_t round_ = 0;  ///< launches that all threads were asked to
  std::size_t threads_ = 0, working_ = 0;
};

/// Runs the blocks of a cooperative or clustered launch team by team, every block of a team at the same time
/// on an OS thread of its own.
class TeamRunner {
 public:
  /// `next`: the number of the next team to run, where there is one.
  std::vector<Worker*> run(const Launch& launch, unsigned int size,
                           const std::function<std::optional<std::uint64_t>()>& next) {
    while (threads_.size() < size) threads_.push_back(std::make_unique<Member>());
    std::vector<Worker*> workers;
    bool begun = false;
    while (const auto number = abort_error == cudaSuccess ? next() : std::nullopt) {
      const std::uint64_t first = *number * size;
      Team team(size);
      LaunchWatch::get().take_chosen(size);
      for (unsigned int rank = 0; rank < size; ++rank)
        threads_[rank]->start(launch, team, rank, block_of(launch, first, rank), !begun);
      for (unsigned int rank = 0; rank < size; ++rank) threads_[rank]->finish();
      begun = true;
    }
    for (unsigned int rank = 0; begun && rank < size; ++rank) workers.push_back(threads_[rank]->worker());
    return workers;
  }

 private:
  /// Clusters tile the grid in all its dimensions; a cooperative grid is one team.
  static std::uint64_t block_of(const Launch& l, std::uint64_t first, unsigned int rank) {
    if (l.cooperative) return rank;
    const uint3 clusters{l.grid.x / l.cluster.x, l.grid.y / l.cluster.y, l.grid.z / l.cluster.z};
    const uint3 c = unflatten(first / l.cluster_blocks(), clusters);
    const uint3 in = unflatten(rank, l.cluster);
    const std::uint64_t x = c.x * l.cluster.x + in.x, y = c.y * l.cluster.y + in.y,
                        z = c.z * l.cluster.z + in.z;
    return x + l.grid.x * (y + std::uint64_t{l.grid.y} * z);
  }

  class Member {
   public:
    Member() : thread_([this] { serve(); }) {}
    ~Member() {
      {
        std::lock_guard lock(mutex_);
        stop_ = true;
      }
      changed_.notify_all();
      thread_.join();
    }
    void start(const Launch& launch, Team& team, unsigned int rank, std::uint64_t block, bool first) {
      {
        std::lock_guard lock(mutex_);
        job_ = {&launch, &team, rank, block, first};
        has_job_ = true;
      }
      changed_.notify_all();
    }
    void finish() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !has_job_; });
    }
    Worker* worker() const { return worker_; }

   private:
    struct Job {
      const Launch* launch;
      Team* team;
      unsigned int rank;
      std::uint64_t block;
      bool first;  ///< of this launch
    };
    void serve() {
      for (;;) {
        Job job;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [this] { return stop_ || has_job_; });
          if (stop_) break;
          job = job_;
        }
        if (job.first) begin_worker(*job.launch);
        worker_ = this_worker;
        worker_->team = job.team;
        job.team->join(job.rank, thread_local_base());
        worker_->run_block(*job.launch, job.block);
        worker_->team = nullptr;
        {
          std::lock_guard lock(mutex_);
          has_job_ = false;
        }
        changed_.notify_all();
      }
      delete this_worker;
      this_worker = nullptr;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    Job job_{};
    bool has_job_ = false, stop_ = false;
    Worker* worker_ = nullptr;
    std::thread thread_;  // last: it uses all of the above
  };

  std::vector<std::unique_ptr<Member>> threads_;
};

std::string& launch_error() {
  static auto& text = *new std::string;
  return text;
}

/// 0, 1, 2 ... below `end`.
std::function<std::optional<std::uint64_t>()> in_order(std::uint64_t end) {
  return
      [next = std::uint64_t{0}, end]() mutable { return next < end ? std::optional(next++) : std::nullopt; };
}

/// Runs every block, several at a time where that changes nothing that is looked at, or some of them if
/// `sample` says which. The workers that took part.
std::vector<Worker*> run_blocks(Launch& launch, Sample* sample) {
  const unsigned int cluster = launch.cluster_blocks();
  if (launch.cooperative || cluster > 1) {
    // On threads of their own, so that clusters of one launch keep their workers.
    static auto& runner = *new TeamRunner;
    launch.parallel = true;
    const auto size = launch.cooperative ? static_cast<unsigned int>(launch.blocks) : cluster;
    if (sample != nullptr) return runner.run(launch, size, [&] { return sample->next(false); });
    return runner.run(launch, size, in_order(launch.blocks / size));
  }
  const auto next = [&, all = in_order(launch.blocks)](bool waiting) mutable {
    if (abort_error != cudaSuccess) return std::optional<std::uint64_t>();
    return sample != nullptr ? sample->next(waiting) : all();
  };
  if (sample != nullptr) return TurnRunner::get().run(launch, {next, false}, begin_worker);
  if (are_blocks_in_order() || launch.runs_again || launch.blocks == 1)
    return TurnRunner::get().run(launch, {next, true}, begin_worker);
  constexpr std::uint64_t kLittle = 2048;  // threads: not worth waking others
  launch.parallel = true;
  return WorkerPool::get().run(launch, launch.blocks * launch.block_threads < kLittle);
}

/// In a copy of the process nobody but the calling thread is left.
std::unique_ptr<Replay> prepare_replay(Launch& launch) {
  launch.runs_again = true;
  auto replay = Replay::prepare(launch, [&launch] {
    static auto& runner = *new TurnRunner;
    runner.run(launch, {[all = in_order(launch.blocks)](bool) mutable { return all(); }, true}, begin_worker);
  });
  launch.runs_again = replay != nullptr;
  return replay;
}

/// What running the launch again takes, in accesses; basic blocks cost less.
std::uint64_t work_of(const Launch& launch, const std::vector<Worker*>& workers, std::uint64_t most_steps) {
  std::uint64_t sum = most_steps * launch.blocks * launch.block_threads / 8;
  for (const Worker* worker : workers)
    if (worker->events) sum += worker->events->work().accesses;
  return sum;
}

/// What blocks of a cluster or a cooperative launch keep in memory of all, each of them relies on.
double checked_share(const Launch& launch) {
  constexpr double kLeastBlocks = 32;
  if (launch.blocks_run_together()) return 1.0;
  return std::max(launch_settings().checked_share, kLeastBlocks / static_cast<double>(launch.blocks));
}

std::mutex launch_mutex;  // host threads may launch at the same time; their launches run one after another

}  // namespace

LaunchSettings& launch_settings() {
  static auto& settings = *new LaunchSettings;
  return settings;
}

const std::string& last_launch_error() { return launch_error(); }

bool more_workers() { return WorkerPool::get().more(); }

void abort_launch(cudaError_t error) { abort_error = error; }
bool launch_is_aborted() { return abort_error != cudaSuccess; }

namespace {

cudaError_t submit_from_host(const LaunchConfig& config, const BoundKernel& given) {
  const std::lock_guard lock(launch_mutex);
  BoundKernel kernel = given;
  if (kernel.name == nullptr) kernel.name = kernel_info(kernel.function).name.c_str();
  const KernelInfo info = kernel_info(kernel);
  const LaunchProblem problem = check_launch(config, info);
  launch_error() = problem.text;
  if (problem.error != cudaSuccess) {
    see_rejected_launch(config, kernel.name, problem);
    return finish_launch(problem.error);
  }
  if (const auto instead = redirect_launch(config, kernel)) return finish_launch(*instead);
  // A GPU would not run it. It runs all the same, for its findings, but nothing that it does shows.
  const bool lost = device_is_lost(), diagnosing = workbook_sim_is_diagnosing();
  if (lost && !diagnosing) return finish_launch(cudaSuccess);
  note_progress(kLaunchWork);
  note_launch(kernel.name, std::uint64_t{config.grid.x} * config.grid.y * config.grid.z);
  const auto start = std::chrono::steady_clock::now();
  static std::uint32_t generation = 0;
  Launch launch{&kernel,
                config.grid,
                config.block,
                config.block.x * config.block.y * config.block.z,
                std::uint64_t{config.grid.x} * config.grid.y * config.grid.z,
                config.shared_bytes,
                ++generation};
  launch.cooperative = config.cooperative;
  launch.cluster = config.cluster;
  launch.dependent = config.dependent;
  launch.resident = resident_blocks(config, info);
  launch.checked_share = checked_share(launch);
  launch.called_at = {config.file == nullptr ? "" : config.file, config.line};
  if (diagnosing && !is_of_program(launch.called_at))
    launch.called_at = line_of_program(reinterpret_cast<Pc>(__builtin_return_address(0)));
  FinishedLaunch finished{kernel.name,
                          {config.grid.x, config.grid.y, config.grid.z},
                          {config.block.x, config.block.y, config.block.z},
                          static_cast<std::int64_t>(info.static_shared + config.shared_bytes),
                          std::nullopt,
                          std::nullopt,
                          true,
                          0,
                          launch.called_at};
  finished.dependent = config.dependent;
  abort_error = cudaSuccess;
  LaunchWatch::get().begin(launch.blocks);
  if (diagnosing) see_launch_begin(launch);
  std::optional<Sample> sample;
  if (diagnosing && launch_settings().sample_accesses > 0)
    sample.emplace(launch, launch_settings().sample_accesses);
  std::vector<Worker*> workers;
  const auto run = [&] { workers = run_blocks(launch, sample ? &*sample : nullptr); };
  std::unique_ptr<Replay> replay;
  if (diagnosing && !lost && !sample) replay = prepare_replay(launch);
  if (lost)
    run_unseen(run);
  else
    run();
  note_launch("", 0);
  const std::uint64_t ran = sample ? sample->finish() : launch.blocks;
  std::uint64_t checked = 0;
  std::uint64_t barriers = 0, cluster_barriers = 0, grid_barriers = 0, warp_operations = 0;
  double tensor_flops = 0.0, mma_operations = 0.0;
  for (Worker* w : workers) {
    if (w->loops) finished.most_steps = std::max(finished.most_steps, w->loops->take_most_steps());
    checked += std::exchange(w->checked_blocks, 0);
    barriers += std::exchange(w->barriers, 0);
    cluster_barriers += std::exchange(w->cluster_barriers, 0);
    grid_barriers += std::exchange(w->grid_barriers, 0);
    warp_operations += std::exchange(w->warp_operations, 0);
    tensor_flops += std::exchange(w->tensor_flops, 0.0);
    mma_operations += std::exchange(w->mma_operations, 0.0);
  }
  warp_operations += static_cast<std::uint64_t>(std::llround(mma_operations));
  if (diagnosing) {
    // A launch that was ended early ran fewer blocks, and its counters are what those did.
    finished.counters = see_launch_end(workers, launch.checked_share < 1.0 && checked > 0 ? checked : ran);
    finished.counters->barriers = static_cast<std::int64_t>(barriers * launch.blocks / ran);
    finished.counters->cluster_barriers = static_cast<std::int64_t>(cluster_barriers * launch.blocks / ran);
    finished.counters->grid_barriers = static_cast<std::int64_t>(grid_barriers);  // all blocks have run
    finished.counters->warp_operations = static_cast<std::int64_t>(warp_operations * launch.blocks / ran);
    finished.counters->tensor_flops =
        tensor_flops * static_cast<double>(launch.blocks) / static_cast<double>(ran);
  }
  see_endless_loops(launch, LaunchWatch::get().take_loops());
  finished.complete = abort_error == cudaSuccess && !has_crashed();
  if (replay && finished.complete) replay->compare(launch, work_of(launch, workers, finished.most_steps));
  if (abort_error != cudaSuccess) {
    launch_error() = std::string(kernel.name) + " was ended: " + cudaGetErrorString(abort_error);
    set_last_error(abort_error);
    fault(abort_error);
  }
  const std::chrono::duration<double, std::micro> cpu_us = std::chrono::steady_clock::now() - start;
  if (!lost) account_launch(config.stream, finished, cpu_us.count());
  if (has_crashed()) fault(cudaErrorIllegalAddress);
  if (launch_settings().on_finished) launch_settings().on_finished(finished);
  return finish_launch(cudaSuccess);
}

}  // namespace

cudaError_t submit(const LaunchConfig& config, const BoundKernel& kernel) {
  if (in_kernel()) return keep_device_launch(config, kernel);
  const cudaError_t error = submit_from_host(config, kernel);
  run_device_launches(config.stream, kernel);
  return error;
}

}  // namespace workbook::sim
