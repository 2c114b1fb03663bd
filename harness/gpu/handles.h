// Owners of what the CUDA runtime hands out: streams, events, graphs, device memory. Movable, not copyable.
#pragma once

#include <cstddef>
#include <utility>

#include "gpu/cuda_check.h"

namespace workbook::gpu {

/// Owns one handle of a kind that is destroyed by `Destroy`.
template <class Handle, cudaError_t (*Destroy)(Handle)>
class Owner {
 public:
  Owner() = default;
  explicit Owner(Handle handle) : handle_(handle) {}
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    if (handle_ != nullptr) WORKBOOK_CUDA_DTOR(Destroy(handle_));
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

// The overloads of cudaFree and its kin differ by language, so each destroyer gets one plain name here.
inline cudaError_t free_memory(void* memory) { return cudaFree(memory); }

using Stream = Owner<cudaStream_t, cudaStreamDestroy>;
using Event = Owner<cudaEvent_t, cudaEventDestroy>;
using Graph = Owner<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Owner<cudaGraphExec_t, cudaGraphExecDestroy>;
using DeviceMemory = Owner<void*, free_memory>;

inline Stream make_stream() {
  cudaStream_t stream = nullptr;
  WORKBOOK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

inline Event make_event() {
  cudaEvent_t event = nullptr;
  WORKBOOK_CUDA(cudaEventCreate(&event));
  return Event(event);
}

inline DeviceMemory make_memory(std::size_t bytes) {
  void* memory = nullptr;
  WORKBOOK_CUDA(cudaMalloc(&memory, bytes));
  return DeviceMemory(memory);
}

}  // namespace workbook::gpu
