// The modelled clock of the device: when the work of each stream would begin and end on the chosen GPU.
// Microseconds since the program began; the host's own computation takes no time in it, and its calls take
// what HostCosts say.
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

/// What calls cost the host. Nothing where a harness launches kernels; programs have kProgramCosts.
struct HostCosts {
  double launch_us = 0;  ///< to hand the device a kernel, a graph, a copy or a fill
  double load_us = 0;    ///< once a kernel, at its first launch: its code is loaded
  double first_us = 0;   ///< once a program, at its first launch
  double wait_us = 0;    ///< to come back from waiting
  double clock_us = 0;   ///< to read the host's clock
};

/// Measured on an H200 (book/experiments/measuring_h200.cu). Making the context, 0.3 s at the first call of
/// all, is left out: it would hide everything else.
inline constexpr HostCosts kProgramCosts{4.4, 18.0, 210.0, 0.6, 0.03};

/// When a piece of work ran.
struct Span {
  double begin = 0, end = 0;
};

class Timeline {
 public:
  static Timeline& get();

  /// Puts the work after `not_before`.
  Span place(const Cost& cost, double not_before);
  double host_us = 0;  ///< where the host is
  HostCosts costs;

 private:
  struct Busy {
    double start, end, share;
  };
  double free_[2] = {0, 0};  ///< of the copy engines
  std::vector<Busy> compute_;
};

}  // namespace workbook::sim
