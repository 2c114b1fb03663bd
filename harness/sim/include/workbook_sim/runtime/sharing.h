// What hands memory and events to other processes. Each process has a simulated GPU of its own, so that only
// the side that gives them away works: opening them in another process says so on standard error,
// cudaErrorNotSupported; in the process that made them it is cudaErrorDeviceUninitialized, as on a GPU.
#pragma once

#include "pools.h"

struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaIpcEventHandle_t {
  char reserved[64];
};
struct cudaMemPoolPtrExportData {
  unsigned char reserved[64];
};
inline constexpr unsigned int cudaIpcMemLazyEnablePeerAccess = 1;

extern "C" {
/// Of an allocation's start.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);

// Pools are not handed over at all: cudaErrorNotSupported.
cudaError_t cudaMemPoolExportToShareableHandle(void* shareable, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* shareable,
                                                 cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer);
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool, cudaMemPoolPtrExportData* data);
}

template <class T>
inline __attribute__((always_inline)) cudaError_t cudaIpcOpenMemHandle(T** pointer, cudaIpcMemHandle_t handle,
                                                                       unsigned int flags) {
  return cudaIpcOpenMemHandle(reinterpret_cast<void**>(pointer), handle, flags);
}
