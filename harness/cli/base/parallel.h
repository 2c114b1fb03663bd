// Independent jobs over a few threads, in order of their start.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace workbook::cli {

/// Calls body(job, worker) for every job; the first exception stops the rest and is passed on.
template <class Body>
void parallel(std::size_t jobs, std::size_t workers, Body body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex mutex;
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker < std::min(workers, jobs); ++worker)
      threads.emplace_back([&, worker] {
        try {
          for (std::size_t job = next++; job < jobs; job = next++) body(job, worker);
        } catch (...) {
          const std::lock_guard lock(mutex);
          thrown = std::current_exception();
          next = jobs;
        }
      });
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// The most submissions that are judged side by side on one machine.
inline constexpr int kMostJobs = 32;

inline std::size_t worker_count() { return std::clamp(std::thread::hardware_concurrency(), 1u, 8u); }

}  // namespace workbook::cli
