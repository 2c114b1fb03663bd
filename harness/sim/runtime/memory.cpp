// Device memory: allocating and freeing it, and asking about it.
#include "sim/check/diagnosis.h"
#include "sim/check/hooks.h"
#include "sim/check/memory_findings.h"
#include "sim/check/unread_copies.h"
#include "sim/engine/arena.h"
#include "sim/runtime/capturing.h"
#include "sim/runtime/host_log.h"
#include "sim/runtime/pointers.h"
#include "sim/runtime/streams.h"
#include "sim/source/symbols.h"
#include "workbook_sim/runtime/pools.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kPitch = 512;  // rows begin at multiples of it, as on current GPUs

/// Why there is no memory of that size.
void tell_size(std::size_t bytes) {
  constexpr std::size_t kNegative = std::size_t{1} << 63;
  because(cudaErrorMemoryAllocation,
          bytes >= kNegative
              ? "Its size is a negative number, " + std::to_string(static_cast<long long>(bytes)) +
                    ": a product of ints that passes 2147483647 becomes negative. Compute sizes in size_t, "
                    "static_cast<size_t>(rows) * columns * sizeof(float)."
              : "It asks for " + std::to_string(bytes) + " bytes.");
}

/// `element_bytes` 0: the call does not say.
cudaError_t allocate(const Call& call, void** pointer, std::size_t bytes, std::size_t element_bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (workbook_sim_is_diagnosing())
    order_host(reinterpret_cast<std::uintptr_t>(pointer), sizeof *pointer, runs::Access::write, false,
               call.pc);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = Arena::get().allocate(bytes, MemoryKind::device, pc_of_program(call.pc));
  if (*pointer == nullptr) return tell_size(bytes), cudaErrorMemoryAllocation;
  Allocation* a = Arena::get().find_start(*pointer);
  a->typed = element_bytes != 0;
  if (a->typed) a->element_bytes = element_bytes;
  a->shape = {static_cast<std::int64_t>(bytes / a->element_bytes)};
  return cudaSuccess;
}

cudaError_t allocate_now(const Call& call, void** pointer, std::size_t bytes, std::size_t element_bytes) {
  const cudaError_t error = check_not_capturing();
  LoggedCall logged(CallKind::allocate, "cudaMalloc");
  return error != cudaSuccess ? error : allocate(call, pointer, bytes, element_bytes);
}

cudaError_t allocate_of_pool(const Call& call, void** pointer, std::size_t bytes) {
  const cudaError_t error = allocate(call, pointer, bytes, 0);
  if (error == cudaSuccess && bytes > 0) Arena::get().find_start(*pointer)->of_pool = true;
  return error;
}

/// What cudaMalloc() did not give.
void tell_not_given(const Call& call, const void* pointer, const Pointed& p) {
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, call.pc, 0, [&](runs::Finding& f) {
    f.message = std::string(call.api) + " is given ";
    if (p.allocation == nullptr) {
      f.message += "memory of the host's, which cudaMalloc() did not give.";
      f.advice =
          "Pass the pointer that cudaMalloc() filled in: d, not &d. What malloc() gave goes to free().";
      return;
    }
    f.object = allocation_name(*p.allocation);
    const auto start = Arena::get().address_of(p.allocation->offset);
    f.message += "a place " + std::to_string(reinterpret_cast<std::uintptr_t>(pointer) - start) +
                 " bytes behind the start of " + f.object + ": nothing is freed.";
    f.advice = "Free the pointer that cudaMalloc() filled in; where the program moves it on, keep a copy.";
  });
}

cudaError_t release(const Call& call, void* pointer) {
  Arena& arena = Arena::get();
  if (pointer == nullptr) return cudaSuccess;
  const Pointed p = point_to(pointer);
  if (p.allocation != nullptr && p.side == Side::device && workbook_sim_is_diagnosing())
    report_unread_copy(*p.allocation, Diagnosis::get().findings);
  if (p.allocation != nullptr && p.side != Side::pinned && arena.release(pointer, pc_of_program(call.pc)))
    return cudaSuccess;
  if (p.side == Side::heap)
    Diagnosis::get().findings.add(runs::FindingClass::host_deref, call.pc, 0, [&](runs::Finding& f) {
      f.message = std::string(call.api) + " is given memory of the heap of kernels.";
      f.advice = "What malloc() or new gave in a kernel is freed in a kernel, by free() or delete.";
    });
  if (p.freed != nullptr)
    Diagnosis::get().findings.add(
        runs::FindingClass::double_free, call.pc, p.freed->freed_at, [&](runs::Finding& f) {
          f.object = allocation_name(*p.freed);
          f.message = f.object + " is freed twice: it was " + freed_where(*p.freed) + ".";
          f.advice =
              "Free each allocation once; set the pointer to nullptr after cudaFree(), which then may be "
              "repeated.";
        });
  if (p.side == Side::pageable || p.side == Side::device || p.side == Side::managed)
    tell_not_given(call, pointer, p);
  return cudaErrorInvalidValue;
}

}  // namespace

Work work_of_allocation(void* pointer) {
  const auto run = [pointer](cudaStream_t) {
    Arena::get().resume(pointer);
    return cudaSuccess;
  };
  return {cudaGraphNodeTypeMemAlloc, run, {}};
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return finish(allocate_now(WORKBOOK_CALL, pointer, bytes, 0));
}

cudaError_t workbook_sim_allocate_typed(void** pointer, std::size_t bytes, std::size_t element_bytes) {
  return finish(allocate_now(WORKBOOK_CALL, pointer, bytes, element_bytes));
}

cudaError_t cudaFree(void* pointer) {
  if (const cudaError_t error = check_not_capturing(); error != cudaSuccess) return finish(error);
  const Call call{"cudaFree", WORKBOOK_CALL.pc};
  if (const Allocation* const a = Arena::get().find_start(pointer); a != nullptr && a->of_pool) {
    // It waits for nothing then: on an H200 it returns at once, with a kernel under way.
    StreamOrder::get().see_release(reinterpret_cast<std::uintptr_t>(pointer), a->bytes, call.api, call.pc);
    return finish(release(call, pointer));
  }
  if (pointer != nullptr) StreamOrder::get().host_waits_for_all();
  return finish_waiting(release(call, pointer));
}

// Memory of a stream is taken and given back in the order of the host's calls, which here is the stream's. A
// captured allocation is made at once and lives on, so that every launch of the graph finds it.
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  const cudaError_t error = allocate_of_pool(WORKBOOK_CALL, pointer, bytes);
  const CUstream_st& s = *find_stream(stream);
  if (error == cudaSuccess && s.capture == nullptr && bytes > 0) {
    const Call call = WORKBOOK_CALL;
    note_use(call, {*pointer, bytes}, Use::writes);
    StreamOrder::get().give(s.lane, {StreamWork::Kind::allocation, call.api, call.pc});
  }
  if (error != cudaSuccess || s.capture == nullptr) return finish(error);
  return finish(enqueue(stream, work_of_allocation(*pointer)));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  CUstream_st* const s = find_stream(stream);
  if (s == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (pointer == nullptr) return finish(cudaErrorInvalidValue);
  if (s->capture == nullptr) {
    const Call call = WORKBOOK_CALL;
    if (const Pointed p = point_to(pointer); p.allocation != nullptr) {
      note_use(call, {pointer, p.allocation->bytes}, Use::writes);
      StreamOrder::get().give(s->lane, {StreamWork::Kind::release, call.api, call.pc});
    }
    return finish(release(call, pointer));
  }
  return finish(Capturing::get()->record_free(*s, WORKBOOK_CALL, pointer));
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (pool == nullptr) return finish(cudaErrorInvalidValue);
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  const cudaError_t error = allocate_of_pool(WORKBOOK_CALL, pointer, bytes);
  if (error != cudaSuccess || find_stream(stream)->capture == nullptr) return finish(error);
  return finish(enqueue(stream, work_of_allocation(*pointer)));
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  if (pitch == nullptr) return finish(cudaErrorInvalidValue);
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return finish(allocate_now(WORKBOOK_CALL, pointer, *pitch * height, 0));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  if (pitched == nullptr) return finish(cudaErrorInvalidValue);
  const std::size_t pitch = (extent.width + kPitch - 1) / kPitch * kPitch;
  *pitched = {nullptr, pitch, extent.width, extent.height};
  return finish(allocate_now(WORKBOOK_CALL, &pitched->ptr, pitch * extent.height * extent.depth, 0));
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (free == nullptr || total == nullptr) return finish(cudaErrorInvalidValue);
  *total = kArenaSpan;
  *free = kArenaSpan - Arena::get().bytes_in_use();
  return finish(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return finish(cudaErrorInvalidValue);
  void* p = const_cast<void*>(pointer);
  switch (point_to(pointer).side) {
    case Side::device:
      *attributes = {cudaMemoryTypeDevice, 0, p, nullptr};
      break;
    case Side::managed:
      *attributes = {cudaMemoryTypeManaged, 0, p, p};
      break;
    case Side::pinned:
      *attributes = {cudaMemoryTypeHost, 0, p, p};
      break;
    case Side::null:
    case Side::pageable:
    case Side::freed:
    case Side::heap:
    case Side::unallocated:
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
  }
  return finish(cudaSuccess);
}

}  // extern "C"

namespace {

cudaError_t check_managed(const void* pointer, std::size_t bytes) {
  const Pointed p = point_to(pointer);
  if (bytes == 0 || p.side != Side::managed) return cudaErrorInvalidValue;
  const std::uint64_t start = Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(pointer));
  return start + bytes > p.allocation->offset + p.allocation->bytes ? cudaErrorInvalidValue : cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t workbook_sim_prefetch(const void* pointer, std::size_t bytes, int device, cudaStream_t stream) {
  if (device != 0 && device != cudaCpuDeviceId) return finish(cudaErrorInvalidDevice);
  if (const cudaError_t error = check_managed(pointer, bytes); error != cudaSuccess) return finish(error);
  const Cost cost = link_cost(bytes, device == 0 ? Engine::copy_in : Engine::copy_out);
  return finish(enqueue(stream, {cudaGraphNodeTypeMemcpy, [](cudaStream_t) { return cudaSuccess; }, cost}));
}

cudaError_t workbook_sim_advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return finish(cudaErrorInvalidValue);
  if (device != 0 && device != cudaCpuDeviceId) return finish(cudaErrorInvalidDevice);
  return finish(check_managed(pointer, bytes));
}

}  // extern "C"
