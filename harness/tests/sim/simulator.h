// Runs one kernel of kernels.cu on fresh device memory and keeps what the simulator said.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "kernels.h"
#include "sim/check/diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/engine/launch.h"
#include "sim/engine/runtime.h"

struct Outcome {
  std::vector<float> values;
  std::vector<workbook::runs::Finding> findings;
  std::optional<workbook::runs::LaunchCounters> counters;
  bool complete = true;
  std::uint64_t most_steps = 0;

  const workbook::runs::Finding* find(workbook::runs::FindingClass klass) const {
    for (const auto& f : findings)
      if (f.klass == klass) return &f;
    return nullptr;
  }
};

struct Setup {
  unsigned grid = 1, block = kernels::kBlock;
  std::size_t shared_bytes = 0;
  int elements = kernels::kBlock;  ///< of the one tensor, called y
  int n = -1;                      ///< the kernel's count; -1: elements
  bool initialised = true;         ///< y[i] = i, or 0 where `zero`
  bool zero = false;
  bool trace = false;
};

inline Outcome simulate(const std::string& kernel, const Setup& setup) {
  using namespace workbook::sim;
  Arena& arena = Arena::get();
  arena.release_all();
  forget_errors();
  Diagnosis::get().crashed = false;
  Diagnosis::get().modes = {.check = true, .count = true, .in_order = setup.trace, .trace = setup.trace};
  const std::size_t bytes = static_cast<std::size_t>(setup.elements) * sizeof(float);
  void* device = nullptr;
  cudaMalloc(&device, bytes);
  arena.find_start(device)->name = "y";
  arena.find_start(device)->id = 0;
  if (setup.initialised) {
    std::vector<float> start;
    for (int i = 0; i < setup.elements; ++i) start.push_back(setup.zero ? 0.0f : static_cast<float>(i));
    cudaMemcpy(device, start.data(), bytes, cudaMemcpyHostToDevice);
  }
  Outcome out;
  launch_settings().on_finished = [&](const FinishedLaunch& f) {
    out.counters = f.counters;
    out.complete = f.complete;
    out.most_steps = f.most_steps;
  };
  kernels::launch(kernel, setup.grid, setup.block, setup.shared_bytes, static_cast<float*>(device),
                  setup.n < 0 ? setup.elements : setup.n);
  launch_settings().on_finished = nullptr;
  out.values.resize(static_cast<std::size_t>(setup.elements));
  std::memcpy(out.values.data(), device, bytes);
  out.findings = Diagnosis::get().findings.take();
  return out;
}
