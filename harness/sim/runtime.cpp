// The host API: memory is the arena, everything is synchronous, errors are the runtime's own.
#include "runtime.h"

#include <cstring>
#include <map>

#include "arena.h"
#include "diagnosis.h"
#include "engine.h"

namespace workbook::sim {
namespace {

cudaError_t last_error = cudaSuccess;
std::map<const void*, std::size_t> shared_limits;

cudaError_t fail(cudaError_t error) {
  set_last_error(error);
  return error;
}

/// Whether [pointer, pointer + bytes) is host memory or lies inside one allocation.
bool range_is_valid(const void* pointer, std::size_t bytes) {
  Arena& arena = Arena::get();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (pointer == nullptr) return bytes == 0;
  if (!arena.contains(address)) return true;
  const std::uint64_t offset = arena.offset_of(address);
  const Allocation* a = arena.find(offset);
  return a != nullptr && offset >= a->offset && offset + bytes <= a->offset + a->bytes;
}

void mark_written(void* pointer, std::size_t bytes) {
  Arena& arena = Arena::get();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (arena.contains(address) && Diagnosis::get().modes.check)
    arena.mark_initialised(arena.offset_of(address), bytes);
}

}  // namespace

void set_last_error(cudaError_t error) { last_error = error; }

std::size_t dynamic_shared_limit(const void* function) {
  const auto found = shared_limits.find(function);
  return found == shared_limits.end() ? 48 * 1024 : found->second;
}

cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > kMaxSharedBytes) return fail(cudaErrorInvalidValue);
  shared_limits[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return fail(cudaErrorInvalidValue);
  *pointer = bytes == 0 ? nullptr : Arena::get().allocate(bytes);
  return bytes != 0 && *pointer == nullptr ? fail(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr || Arena::get().release(pointer)) return cudaSuccess;
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (!range_is_valid(to, bytes) || !range_is_valid(from, bytes)) return fail(cudaErrorInvalidValue);
  std::memmove(to, from, bytes);
  mark_written(to, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  if (!range_is_valid(pointer, bytes)) return fail(cudaErrorInvalidValue);
  std::memset(pointer, value, bytes);
  mark_written(pointer, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}

cudaError_t cudaDeviceSynchronize() { return last_error; }

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  static std::uintptr_t next = 1;
  if (stream == nullptr) return fail(cudaErrorInvalidValue);
  *stream = reinterpret_cast<cudaStream_t>(next++);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return last_error; }

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorLaunchTimeout:
      return "cudaErrorLaunchTimeout";
    case cudaErrorAssert:
      return "cudaErrorAssert";
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorLaunchTimeout:
      return "the launch timed out and was terminated";
    case cudaErrorAssert:
      return "device-side assert triggered";
  }
  return "unrecognized error code";
}

}  // extern "C"
