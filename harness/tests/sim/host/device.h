// What each test of the host API begins and ends with.
#pragma once

#include <string>
#include <vector>

#include "clock/gpus.h"
#include "kernels.h"
#include "sim/check/diagnosis.h"
#include "sim/check/stream_order.h"
#include "sim/engine/arena.h"
#include "sim/engine/runtime.h"
#include "sim/runtime/timeline.h"

/// A fresh device; what the simulator found since then.
class Device {
 public:
  explicit Device(const char* gpu = "h200") {
    using namespace workbook::sim;
    Arena::get().release_all();
    forget_errors();
    StreamOrder::get().forget();
    choose_gpu(*find_gpu(gpu));
    Timeline::get().costs = {};  // here the device alone is looked at
    Diagnosis::get().forget_launches();
    Diagnosis::get().findings.take();
    Diagnosis::get().modes = {.check = true, .count = true};
  }
  std::vector<workbook::runs::Finding> findings() { return workbook::sim::Diagnosis::get().findings.take(); }
};

/// The only finding, at this line of the calling file.
#define REQUIRE_ONE_FINDING(DEVICE, CLASS, LINE, TEXT) \
  do {                                                 \
    const auto found = (DEVICE).findings();            \
    REQUIRE(found.size() == 1);                        \
    CHECK(found[0].klass == (CLASS));                  \
    CHECK(found[0].at.line == (LINE));                 \
    CHECK_THAT(found[0].message, contains_text(TEXT)); \
  } while (false)

inline int* device_ints(int n) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, static_cast<std::size_t>(n) * sizeof(int));
  return pointer;
}

inline std::vector<int> copied_back(const int* device, int n) {
  std::vector<int> host(static_cast<std::size_t>(n));
  cudaMemcpy(host.data(), device, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
  return host;
}

inline workbook::sim::LaunchConfig blocks_for(int n, cudaStream_t stream = nullptr) {
  return {static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, stream};
}
