// Streams and events. Work is done when it is enqueued, in the order of the host's calls, whatever the
// streams: so results are those of a program that synchronises correctly. The time of events is modelled (see
// cudaEventElapsedTime), and there streams do overlap.
#pragma once

#ifndef CUDART_CB
#define CUDART_CB  // a calling convention of other systems
#endif

#include "memory.h"

struct CUevent_st;
using cudaEvent_t = CUevent_st*;

inline constexpr unsigned int cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned int cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2,
                              cudaEventInterprocess = 4;
inline constexpr unsigned int cudaEventRecordDefault = 0, cudaEventRecordExternal = 1;
inline constexpr unsigned int cudaEventWaitDefault = 0, cudaEventWaitExternal = 1;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))
// Of launches in kernels: runtime/device_launches.cpp says when they run.
#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(3))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(4))

using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* user_data);
using cudaHostFn_t = void (*)(void* user_data);

extern "C" {
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
/// The priority is kept for cudaStreamGetPriority() and changes nothing else.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
/// Never cudaErrorNotReady.
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data,
                                  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data);
cudaError_t cudaDeviceSynchronize();

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned int flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
/// Modelled milliseconds on the chosen GPU between the two records: what its kernels, copies and fills would
/// take, with those of different streams overlapping where the GPU has room. Copies: 85 % of the PCIe link
/// for pinned memory, at most 10 GB/s for pageable memory, which the host waits for. Kernels are modelled
/// from their counters; a build without counters gives the time that the launch took on this CPU instead.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = cudaEventDefault) {
  return cudaEventCreateWithFlags(event, flags);
}
