// Device, pinned and managed memory, copies and fills.
//
// Device memory is one arena of 16 GiB that the host can address: the program's own misuse of a device
// pointer on the host is found by the diagnosing build, not by a fault. Copies and fills are done before the
// call returns, also the Async ones; a copy past the end of an allocation, one from or to freed memory, and
// one whose direction does not fit its pointers is not done, returns cudaErrorInvalidValue and is a finding.
#pragma once

#include <cstddef>
#include <type_traits>

#include "errors.h"

struct CUstream_st;
using cudaStream_t = CUstream_st*;

enum cudaMemcpyKind : int {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

inline constexpr unsigned int cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
                              cudaHostAllocWriteCombined = 4;
inline constexpr unsigned int cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1,
                              cudaHostRegisterMapped = 2, cudaHostRegisterIoMemory = 4,
                              cudaHostRegisterReadOnly = 8;
inline constexpr unsigned int cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4;
inline constexpr int cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2;

struct cudaExtent {
  std::size_t width, height, depth;  ///< width in bytes, or in elements of an array
};
struct cudaPos {
  std::size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch;         ///< bytes from one row to the next
  std::size_t xsize, ysize;  ///< of the allocation: bytes a row, rows
};
constexpr cudaExtent make_cudaExtent(std::size_t w, std::size_t h, std::size_t d) { return {w, h, d}; }
constexpr cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
constexpr cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t x, std::size_t y) {
  return {pointer, pitch, x, y};
}
struct cudaMemcpy3DParms;  // array.h

enum cudaMemoryType : int {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

enum cudaMemLocationType : int {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeNone = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
enum cudaMemoryAdvise : int {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};

extern "C" {
/// Null for 0 bytes, as on a GPU.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
/// Rows of `width` bytes, `*pitch` (a multiple of 512) apart.
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent);

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes);
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal);

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
/// `height` rows of `width` bytes each.
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream = nullptr);

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream = nullptr);

/// `total` is what the simulator can hand out, 16 GiB, whichever GPU is modelled.
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// For cudaMalloc by type: the size of an element lets findings say d_x[17].
cudaError_t workbook_sim_allocate_typed(void** pointer, std::size_t bytes, std::size_t element_bytes);
cudaError_t workbook_sim_allocate_managed_typed(void** pointer, std::size_t bytes, std::size_t element_bytes,
                                                unsigned int flags);
// For cudaMemset of an array of numbers of so many bytes, which are set byte by byte.
void workbook_sim_check_fill(int value, std::size_t element_bytes, bool real);
cudaError_t workbook_sim_prefetch(const void* pointer, std::size_t bytes, int device, cudaStream_t stream);
cudaError_t workbook_sim_advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device);
}

/// A hint that changes nothing here but the modelled time of its stream.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                        unsigned int /*flags*/, cudaStream_t stream = nullptr) {
  return workbook_sim_prefetch(
      pointer, bytes, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId, stream);
}
/// As before CUDA 13: a device's number, or cudaCpuDeviceId.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
  return workbook_sim_prefetch(pointer, bytes, device, stream);
}
/// A hint without effect.
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return workbook_sim_advise(pointer, bytes, advice,
                             location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId);
}
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return workbook_sim_advise(pointer, bytes, advice, device);
}

// Always inlined, so that what findings name is the line of the learner's call.
// `T` may be const: what is allocated is filled by copies then.
namespace workbook::sim {
template <class T>
inline __attribute__((always_inline)) void** untyped(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}
}  // namespace workbook::sim
#define WORKBOOK_SIM_TYPED \
  template <class T>       \
  inline __attribute__((always_inline)) cudaError_t
WORKBOOK_SIM_TYPED cudaMalloc(T** pointer, std::size_t bytes) {
  return workbook_sim_allocate_typed(workbook::sim::untyped(pointer), bytes, sizeof(T));
}
WORKBOOK_SIM_TYPED cudaMallocManaged(T** pointer, std::size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return workbook_sim_allocate_managed_typed(workbook::sim::untyped(pointer), bytes, sizeof(T), flags);
}
WORKBOOK_SIM_TYPED cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(workbook::sim::untyped(pointer), bytes, stream);
}
WORKBOOK_SIM_TYPED cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(workbook::sim::untyped(pointer), pitch, width, height);
}
WORKBOOK_SIM_TYPED cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc(workbook::sim::untyped(pointer), bytes, flags);
}
WORKBOOK_SIM_TYPED cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc(workbook::sim::untyped(pointer), bytes, flags);
}
WORKBOOK_SIM_TYPED cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(workbook::sim::untyped(device), host, flags);
}
template <class T>
requires(std::is_arithmetic_v<T> && sizeof(T) > 1) inline __attribute__((always_inline)) cudaError_t
    cudaMemset(T* pointer, int value, std::size_t bytes) {
  workbook_sim_check_fill(value, sizeof(T), std::is_floating_point_v<T>);
  return cudaMemset(static_cast<void*>(pointer), value, bytes);
}
#undef WORKBOOK_SIM_TYPED
