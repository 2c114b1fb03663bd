#include "sim/libraries/library_launch.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "clock/model.h"
#include "sim/check/diagnosis.h"

namespace workbook::sim {
namespace {

// Of the peak that the datasheet gives, a tuned library reaches about this much in its inner loop. Assumed.
constexpr double kLibraryEfficiency = 0.75;
constexpr double kThreads = 256;

double bytes_of(const std::vector<Range>& ranges) {
  double bytes = 0;
  for (const Range& r : ranges) bytes += static_cast<double>(r.width) * static_cast<double>(r.height);
  return bytes;
}

bool is_usable(const LibraryLaunch& launch, const Range& range, Use use) {
  return check_device_side(launch.call, range.start) && may_use(launch.call, range, use);
}

bool all_usable(const LibraryLaunch& launch) {
  bool usable = true;
  for (const Range& r : launch.reads) usable = is_usable(launch, r, Use::reads) && usable;
  for (const Range& r : launch.writes) usable = is_usable(launch, r, Use::writes) && usable;
  return usable;
}

/// Puts what is scaled to what is read, as the factors are now. False: one cannot be read, a finding.
bool read_scaled(LibraryLaunch& launch) {
  for (const Scaled& scaled : launch.scaled) {
    if (const auto factor = scaled.by.range()) {
      if (!is_usable(launch, *factor, Use::reads)) return false;
      launch.reads.push_back(*factor);
    }
    if (scaled.by.value() != 0)
      launch.reads.insert(launch.reads.end(), scaled.reads.begin(), scaled.reads.end());
  }
  return true;
}

/// False: a finding; some of it holds anything.
bool check_initialised(const LibraryLaunch& launch, const std::vector<Range>& ranges) {
  if (!Diagnosis::get().modes.check) return true;
  bool complete = true;
  Arena& arena = Arena::get();
  for (const Range& r : ranges) {
    const Pointed p = point_to(r.start);
    if (p.side != Side::device) continue;
    std::uint64_t row = arena.offset_of(reinterpret_cast<std::uintptr_t>(r.start));
    for (std::size_t i = 0; i < r.height; ++i, row += r.pitch) {
      const auto missing = arena.first_uninitialised(row, r.width);
      if (!missing) continue;
      complete = false;
      Diagnosis::get().findings.add(
          runs::FindingClass::uninit_global, launch.call.pc, 0, [&](runs::Finding& f) {
            f.kernel = launch.call.api;
            f.object = describe_element(*p.allocation, *missing);
            f.message = std::string(launch.call.api) + " reads " + f.object + ", which nothing has written.";
            f.advice =
                "Which launch or copy should have written it? Check its size, and the leading dimension.";
          });
      break;
    }
  }
  return complete;
}

/// What pointers in lists lead to, as the lists are now. False: a finding; they cannot be followed.
bool follow_lists(LibraryLaunch& launch) {
  if (!launch.follow) return true;
  for (const Range& list : launch.lists)
    if (!is_usable(launch, list, Use::reads)) return false;
  if (!check_initialised(launch, launch.lists)) return false;
  launch.follow(launch);
  return true;
}

/// Whole waves of blocks at the library's pace, or the memory's, whichever takes longer.
runs::ModelledTime model(const LibraryLaunch& launch) {
  const GpuSpec& gpu = current_gpu();
  const ModelConstants k;
  runs::ModelledTime t;
  t.gpu = gpu.name;
  t.launch_us = k.launch_us + k.first_touch_us;
  t.dram_us = (bytes_of(launch.reads) + bytes_of(launch.writes)) / (gpu.dram_gbps * 1e3 * k.dram_efficiency);
  if (launch.peak_tflops > 0) {
    const double blocks = static_cast<double>(launch.grid.x) * launch.grid.y * launch.grid.z;
    const double waves = std::ceil(blocks / gpu.sms) * gpu.sms / blocks;
    t.arithmetic_us = launch.flops / (launch.peak_tflops * 1e6 * kLibraryEfficiency) * waves;
  }
  t.total_us = t.launch_us + std::max(t.dram_us, t.arithmetic_us);
  t.bound = t.dram_us > t.arithmetic_us ? runs::BoundBy::dram : runs::BoundBy::arithmetic;
  if (std::max(t.dram_us, t.arithmetic_us) < t.launch_us) t.bound = runs::BoundBy::launch;
  return t;
}

runs::LaunchCounters count(const LibraryLaunch& launch) {
  runs::LaunchCounters c;
  c.blocks_total = c.blocks_sampled = std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  c.threads = c.blocks_total * static_cast<std::int64_t>(kThreads);
  c.dram_bytes_read = static_cast<std::int64_t>(bytes_of(launch.reads));
  c.dram_bytes_written = static_cast<std::int64_t>(bytes_of(launch.writes));
  c.l2_sectors = (c.dram_bytes_read + c.dram_bytes_written) / static_cast<std::int64_t>(kSectorBytes);
  c.flops = launch.flops;
  return c;
}

cudaError_t run(cudaStream_t stream, LibraryLaunch launch) {
  if (!follow_lists(launch) || !read_scaled(launch) || !all_usable(launch)) return cudaErrorIllegalAddress;
  check_initialised(launch, launch.reads);
  const auto start = std::chrono::steady_clock::now();
  launch.compute();
  const std::chrono::duration<double, std::micro> cpu_us = std::chrono::steady_clock::now() - start;
  for (const Range& r : launch.writes) mark_written(r);
  FinishedLaunch finished{launch.call.api, launch.grid, {static_cast<std::uint32_t>(kThreads), 1, 1}, 0, {},
                          model(launch)};
  finished.called_at = launch.call.pc;
  for (const auto* ranges : {&launch.lists, &launch.reads})
    for (const Range& r : *ranges) note_use(launch.call, r, Use::reads);
  for (const Range& r : launch.writes) note_use(launch.call, r, Use::writes);
  if (Diagnosis::get().modes.count) finished.counters = count(launch);
  account_launch(stream, finished, cpu_us.count());
  if (launch_settings().on_finished) launch_settings().on_finished(finished);
  return cudaSuccess;
}

}  // namespace

cudaError_t run_library(cudaStream_t stream, const LibraryLaunch& launch) {
  return enqueue(stream,
                 {cudaGraphNodeTypeKernel, [launch](cudaStream_t on) { return run(on, launch); }, {}});
}

}  // namespace workbook::sim
