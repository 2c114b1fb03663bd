// Timing a variant on the GPU: end to end in a CUDA graph, launched from the host, and each launch alone.
#pragma once

#include <cuda_runtime.h>

#include "core/backend.h"

namespace workbook::gpu {

/// Rounds of samples; in each round every figure is sampled once, so that drift of clocks meets all alike.
inline constexpr int kRounds = 15;

/// Runs the workload once, checked, then times it. Warm: the same tensors again and again. Cold: tensors that
/// no earlier call of the sample touched, after the L2 was flushed. With WORKBOOK_GPU_ONCE in the environment
/// nothing is timed. Where it cannot be timed, `note` says why.
runs::Benchmark benchmark(const core::Workload& workload, cudaStream_t stream);

/// How many calls of a variant one sample holds. Below 10 us a pair of events is too coarse for a single
/// call. `one_us` is the estimated time of one call.
int calls_a_sample(double one_us);

}  // namespace workbook::gpu
