// Pinned and managed memory: part of the arena, so that what kernels do with it is checked as well.
#include "sim/check/hooks.h"
#include "sim/engine/arena.h"
#include "sim/engine/registered.h"
#include "sim/runtime/capturing.h"
#include "sim/runtime/pointers.h"
#include "sim/runtime/streams.h"

namespace workbook::sim {
namespace {

bool flags_fit(unsigned int flags) { return flags == cudaMemAttachGlobal || flags == cudaMemAttachHost; }

cudaError_t allocate(const Call& call, void** pointer, std::size_t bytes, MemoryKind kind,
                     std::size_t element_bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (workbook_sim_is_diagnosing())
    order_host(reinterpret_cast<std::uintptr_t>(pointer), sizeof *pointer, runs::Access::write, false,
               call.pc);
  *pointer = nullptr;
  if (const cudaError_t error = check_not_capturing(); error != cudaSuccess) return error;
  if (bytes == 0) return kind == MemoryKind::managed ? cudaErrorInvalidValue : cudaSuccess;
  *pointer = Arena::get().allocate(bytes, kind, call.pc);
  if (*pointer == nullptr) return cudaErrorMemoryAllocation;
  Allocation* a = Arena::get().find_start(*pointer);
  StreamOrder::get().note_host_memory();
  a->element_bytes = element_bytes;
  a->shape = {static_cast<std::int64_t>(bytes / element_bytes)};
  return cudaSuccess;
}

}  // namespace

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return finish(allocate(WORKBOOK_CALL, pointer, bytes, MemoryKind::pinned, 4));
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  if ((flags & ~7u) != 0) return finish(cudaErrorInvalidValue);
  return finish(allocate(WORKBOOK_CALL, pointer, bytes, MemoryKind::pinned, 4));
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags) {
  if (!flags_fit(flags)) return finish(cudaErrorInvalidValue);
  return finish(allocate(WORKBOOK_CALL, pointer, bytes, MemoryKind::managed, 4));
}

cudaError_t workbook_sim_allocate_managed_typed(void** pointer, std::size_t bytes, std::size_t element_bytes,
                                                unsigned int flags) {
  if (!flags_fit(flags)) return finish(cudaErrorInvalidValue);
  return finish(allocate(WORKBOOK_CALL, pointer, bytes, MemoryKind::managed, element_bytes));
}

cudaError_t cudaFreeHost(void* pointer) {
  if (pointer == nullptr) return finish_waiting(cudaSuccess);
  const Allocation* a = Arena::get().find_start(pointer);
  if (a == nullptr || a->kind != MemoryKind::pinned) return finish_waiting(cudaErrorInvalidValue);
  const Call call = WORKBOOK_CALL;
  StreamOrder::get().see_release(reinterpret_cast<std::uintptr_t>(pointer), a->bytes, call.api, call.pc);
  Arena::get().release(pointer, call.pc);
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (pointer == nullptr || bytes == 0 || (flags & ~15u) != 0) return finish(cudaErrorInvalidValue);
  if (Arena::get().contains(address) || is_registered(address) || is_registered(address + bytes - 1))
    return finish(cudaErrorHostMemoryAlreadyRegistered);
  registered_ranges()[address] = bytes;
  return finish(cudaSuccess);
}

cudaError_t cudaHostUnregister(void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto found = registered_ranges().find(address);
  if (found == registered_ranges().end()) return finish(cudaErrorHostMemoryNotRegistered);
  StreamOrder::get().see_release(address, found->second, "cudaHostUnregister", WORKBOOK_CALL.pc);
  registered_ranges().erase(found);
  return finish(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  if (device == nullptr || flags != 0 || point_to(host).side != Side::pinned)
    return finish(cudaErrorInvalidValue);
  *device = host;
  return finish(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  if (flags == nullptr || point_to(host).side != Side::pinned) return finish(cudaErrorInvalidValue);
  *flags = cudaHostAllocMapped;
  return finish(cudaSuccess);
}

}  // extern "C"
