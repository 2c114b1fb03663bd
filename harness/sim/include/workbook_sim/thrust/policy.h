// Where an algorithm of Thrust runs: on the host, or on a stream of the device, after which the host waits
// for it or does not.
#pragma once

#include "../runtime_api.h"

namespace thrust {

struct host_policy {};

/// On a stream of the device.
struct device_policy {
  bool waits;
  cudaStream_t stream = nullptr;
  constexpr device_policy on(cudaStream_t other) const { return {waits, other}; }
};

inline constexpr host_policy host, seq;
inline constexpr device_policy device{true};

namespace cuda {
inline constexpr device_policy par{true}, par_nosync{false};
}

}  // namespace thrust
