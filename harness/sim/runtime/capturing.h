// Captures, as what streams, launches and memory see of them. They themselves, and their graphs, are among
// the calls that only programs make (sim/calls), and say so when the first of them begins.
#pragma once

#include "sim/engine/engine.h"
#include "sim/runtime/streams.h"
#include "workbook_sim/launch.h"

namespace workbook::sim {

class Capturing {
 public:
  virtual ~Capturing() = default;
  /// Adds the work to the graph that the stream captures, after what the stream captured last.
  virtual cudaError_t record(CUstream_st& stream, const Work& work) = 0;
  virtual cudaError_t record_launch(CUstream_st& stream, const LaunchConfig& config,
                                    const BoundKernel& kernel) = 0;
  virtual cudaError_t record_free(CUstream_st& stream, const Call& call, void* pointer) = 0;
  /// Somebody waits for the stream, or it is destroyed: its capture is invalid.
  virtual cudaError_t refuse_wait(CUstream_st& stream) = 0;
  virtual void leave(CUstream_st& stream) = 0;
  /// cudaSuccess unless some stream captures; what waits for the device or allocates may not be called then,
  /// and makes the capture invalid.
  virtual cudaError_t check_none() = 0;
  /// Work on the legacy stream would wait for the blocking streams: an error while one of them captures.
  virtual cudaError_t check_legacy_allowed() = 0;

  /// Null until one begins.
  static Capturing* get() { return one; }

 protected:
  static Capturing* one;
};

cudaError_t check_not_capturing();
cudaError_t check_legacy_allowed();
/// Waiting for a stream that captures is an error, as there is nothing to wait for.
cudaError_t check_may_wait(cudaStream_t stream);

/// Where one is set, it takes this thread's next launch in place of the device: for nodes that are added by
/// hand.
using TakeLaunch = void (*)(const LaunchConfig& config, const BoundKernel& kernel);
extern thread_local TakeLaunch take_launch;

}  // namespace workbook::sim
