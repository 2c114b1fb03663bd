// Virtual memory management: a reservation is device memory from its first moment, closed to all until access
// is given, and what is unmapped is kept with the physical memory that it stands for until that is mapped
// again.
#include "workbook_sim/runtime/driver_mapping.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "sim/engine/arena.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kGranularity = std::size_t{2} << 20;

struct Physical {
  std::size_t bytes;
  CUmemAllocationProp properties;
  CUdeviceptr mapped_at = 0;
  bool released = false;
  std::unique_ptr<char[]> kept{};  ///< while it is not mapped; null before it was
};
struct Reservation {
  std::size_t bytes;
  void* memory;  ///< what cudaFree() takes
};

struct Mappings {
  std::map<CUmemGenericAllocationHandle, Physical> physical;
  std::map<CUdeviceptr, Reservation> reserved;
  CUmemGenericAllocationHandle next = 1;
};
Mappings& mappings() {
  static auto* const all = new Mappings;  // outlives the program's own objects
  return *all;
}

CUresult refuse(const char* call, const char* what) {
  std::fprintf(stderr, "%s(): %s, which is not simulated.\n", call, what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

bool are_whole(std::size_t bytes, CUdeviceptr address = 0) {
  return bytes > 0 && bytes % kGranularity == 0 && address % kGranularity == 0;
}

const Reservation* reservation_of(CUdeviceptr address, std::size_t bytes) {
  auto& reserved = mappings().reserved;
  auto behind = reserved.upper_bound(address);
  if (behind == reserved.begin()) return nullptr;
  const auto& [start, reservation] = *--behind;
  return address + bytes <= start + reservation.bytes ? &reservation : nullptr;
}

/// Those whose mapping begins in the range; null where one sticks out of it.
std::vector<Physical*> mapped_in(CUdeviceptr address, std::size_t bytes) {
  std::vector<Physical*> found;
  for (auto& [handle, p] : mappings().physical)
    if (p.mapped_at != 0 && p.mapped_at < address + bytes && address < p.mapped_at + p.bytes)
      found.push_back(p.mapped_at >= address && p.mapped_at + p.bytes <= address + bytes ? &p : nullptr);
  return found;
}

void forget_released() {
  std::erase_if(mappings().physical,
                [](const auto& entry) { return entry.second.released && entry.second.mapped_at == 0; });
}

void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// Who may touch addresses of a reservation: nobody, from the moment when they are reserved or unmapped until
/// cuMemSetAccess() says so.
void set_open(CUdeviceptr address, std::size_t bytes, bool open) {
  Arena& arena = Arena::get();
  const Allocation* const whole = arena.find_start(reservation_of(address, bytes)->memory);
  if (whole == nullptr) return;
  const std::uint64_t offset = arena.offset_of(address);
  if (open)
    arena.open(*whole, offset, bytes);
  else
    arena.close(offset, bytes);
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  if (bytes == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *bytes = kGranularity;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  if (address == nullptr || !are_whole(bytes) || flags != 0 || (alignment & (alignment - 1)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const std::size_t step = alignment > kGranularity ? alignment : kGranularity;
  void* memory = nullptr;
  if (const cudaError_t error = cudaMalloc(&memory, bytes + step); error != cudaSuccess)
    return static_cast<CUresult>(error);
  // The first page, by which it is found, stays behind.
  *address = (reinterpret_cast<CUdeviceptr>(memory) + step) / step * step;
  mappings().reserved[*address] = {bytes, memory};
  Arena::get().find_start(memory)->reserved = true;
  set_open(*address, bytes, false);
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  const auto found = mappings().reserved.find(address);
  if (found == mappings().reserved.end() || found->second.bytes != bytes ||
      !mapped_in(address, bytes).empty())
    return CUDA_ERROR_INVALID_VALUE;
  set_open(address, bytes, true);
  const cudaError_t error = cudaFree(found->second.memory);
  mappings().reserved.erase(found);
  return static_cast<CUresult>(error);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  if (handle == nullptr || properties == nullptr || !are_whole(bytes) || flags != 0 ||
      properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE && properties->location.id != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *handle = mappings().next++;
  mappings().physical[*handle] = {bytes, *properties};
  return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  const auto found = mappings().physical.find(handle);
  if (found == mappings().physical.end() || found->second.released) return CUDA_ERROR_INVALID_VALUE;
  found->second.released = true;
  forget_released();
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  const auto found = mappings().physical.find(handle);
  if (found == mappings().physical.end() || found->second.released || !are_whole(bytes, address) ||
      flags != 0 || reservation_of(address, bytes) == nullptr || !mapped_in(address, bytes).empty())
    return CUDA_ERROR_INVALID_VALUE;
  Physical& p = found->second;
  if (p.mapped_at != 0) return refuse("cuMemMap", "a second mapping of the same memory");
  if (offset != 0 || bytes != p.bytes) return refuse("cuMemMap", "a mapping of a part of the memory");
  p.mapped_at = address;
  if (p.kept == nullptr) return CUDA_SUCCESS;
  std::memcpy(at(address), p.kept.get(), bytes);
  Arena::get().mark_initialised(Arena::get().offset_of(address), bytes);
  p.kept = nullptr;
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
  const std::vector<Physical*> all = mapped_in(address, bytes);
  std::size_t mapped = 0;
  for (const Physical* p : all) {
    if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
    mapped += p->bytes;
  }
  if (all.empty() || mapped != bytes) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceSynchronize();
  for (Physical* p : all) {
    // Not by a copy of the program's: what nothing has written is kept, too.
    if (!p->released) {
      p->kept.reset(new char[p->bytes]);
      std::memcpy(p->kept.get(), at(p->mapped_at), p->bytes);
    }
    set_open(p->mapped_at, p->bytes, false);
    p->mapped_at = 0;
  }
  forget_released();
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access,
                        std::size_t count) {
  if (access == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  std::size_t mapped = 0;
  for (const Physical* p : mapped_in(address, bytes)) mapped += p == nullptr ? 0 : p->bytes;
  if (bytes == 0 || mapped != bytes) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < count; ++i)
    if (access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && access[i].location.id != 0)
      return CUDA_ERROR_INVALID_DEVICE;
  for (std::size_t i = 0; i < count; ++i)
    if (access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE)
      set_open(address, bytes, access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  if (flags == nullptr || location == nullptr || reservation_of(address, 1) == nullptr)
    return CUDA_ERROR_INVALID_VALUE;
  Arena& arena = Arena::get();
  *flags = arena.find(arena.offset_of(address)) == nullptr ? CU_MEM_ACCESS_FLAGS_PROT_NONE
                                                           : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  const auto found = mappings().physical.find(handle);
  if (properties == nullptr || found == mappings().physical.end()) return CUDA_ERROR_INVALID_VALUE;
  *properties = found->second.properties;
  properties->allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
  return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                      unsigned long long) {
  return refuse("cuMemExportToShareableHandle", "memory for other processes");
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) {
  return refuse("cuMemImportFromShareableHandle", "memory of other processes");
}

}  // extern "C"
