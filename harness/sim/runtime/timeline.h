// The modelled clock of the device: when the work of each stream would begin and end on the chosen GPU.
// Microseconds since the program began; the host's own work takes no time in it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/launch.h"

namespace workbook::sim {

enum class Engine { none, compute, copy_in, copy_out };

/// What a piece of work asks of the device.
struct Cost {
  Engine engine = Engine::none;
  double us = 0;
  double share = 1;  ///< of the compute engine: kernels of small grids run beside each other
};

/// PCIe: latency of one transfer, and what the link gives of its raw rate. Assumed, near what bandwidthTest
/// prints on machines with each generation of the link.
inline constexpr double kCopyLatencyUs = 2.0, kLinkEfficiency = 0.85, kPageableGbps = 10.0;

Cost copy_cost(const void* to, const void* from, std::size_t bytes);
Cost link_cost(std::size_t bytes, Engine engine);  ///< between pinned memory and the device
Cost fill_cost(std::size_t bytes);
/// `cpu_us`: what the launch took here, for launches without counters.
Cost launch_cost(const FinishedLaunch& launch, double cpu_us);

class Timeline {
 public:
  static Timeline& get();

  /// Puts the work after `not_before`, and returns when it ends.
  double place(const Cost& cost, double not_before);
  double host_us = 0;  ///< how far the host has waited

 private:
  struct Busy {
    double start, end, share;
  };
  double free_[2] = {0, 0};  ///< of the copy engines
  std::vector<Busy> compute_;
};

}  // namespace workbook::sim
