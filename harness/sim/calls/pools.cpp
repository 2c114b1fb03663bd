// Memory pools and attributes of streams.
#include "workbook_sim/runtime/pools.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/engine/arena.h"
#include "sim/runtime/call.h"
#include "sim/runtime/streams.h"

struct CUmemPoolHandle_st {
  std::map<int, std::uint64_t> values;
};

namespace workbook::sim {
namespace {

struct Pools {
  static Pools& get() {
    static Pools& all = *new Pools;
    return all;
  }
  CUmemPoolHandle_st* of_device() { return pools.front().get(); }
  bool has(const CUmemPoolHandle_st* pool) {
    return std::any_of(pools.begin(), pools.end(), [&](const auto& one) { return one.get() == pool; });
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
  CUmemPoolHandle_st* current;

 private:
  Pools() {
    pools.push_back(std::make_unique<CUmemPoolHandle_st>());
    current = of_device();
  }
};

bool is_reuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t give_pool(cudaMemPool_t* pool, int device, CUmemPoolHandle_st* value) {
  if (pool == nullptr) return finish(cudaErrorInvalidValue);
  if (device != 0) return finish(cudaErrorInvalidDevice);
  *pool = value;
  return finish(cudaSuccess);
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(pool, device, Pools::get().of_device());
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(pool, device, Pools::get().current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return finish(cudaErrorInvalidDevice);
  if (!Pools::get().has(pool)) return finish(cudaErrorInvalidValue);
  Pools::get().current = pool;
  return finish(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned)
    return finish(cudaErrorInvalidValue);
  Pools& all = Pools::get();
  const std::lock_guard lock(all.mutex);
  all.pools.push_back(std::make_unique<CUmemPoolHandle_st>());
  *pool = all.pools.back().get();
  return finish(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  Pools& all = Pools::get();
  const std::lock_guard lock(all.mutex);
  if (pool == all.of_device() || !all.has(pool)) return finish(cudaErrorInvalidValue);
  if (all.current == pool) all.current = all.of_device();
  std::erase_if(all.pools, [&](const auto& one) { return one.get() == pool; });
  return finish(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!Pools::get().has(pool) || value == nullptr) return finish(cudaErrorInvalidValue);
  std::uint64_t wide = 0;
  int narrow = 0;
  if (is_reuse(attribute)) {
    std::memcpy(&narrow, value, sizeof narrow);
    wide = narrow != 0;
  } else {
    std::memcpy(&wide, value, sizeof wide);
  }
  pool->values[attribute] = wide;
  return finish(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!Pools::get().has(pool) || value == nullptr) return finish(cudaErrorInvalidValue);
  if (is_reuse(attribute)) {
    const auto found = pool->values.find(attribute);
    const int narrow = found == pool->values.end() || found->second != 0;
    std::memcpy(value, &narrow, sizeof narrow);
    return finish(cudaSuccess);
  }
  std::uint64_t wide = pool->values[attribute];
  if (attribute != cudaMemPoolAttrReleaseThreshold) wide = Arena::get().bytes_in_use();
  std::memcpy(value, &wide, sizeof wide);
  return finish(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return finish(Pools::get().has(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                 std::size_t count) {
  if (!Pools::get().has(pool) || (descriptions == nullptr && count > 0)) return finish(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (descriptions[i].location.id != 0) return finish(cudaErrorInvalidDevice);
  return finish(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  if (flags == nullptr || location == nullptr || !Pools::get().has(pool))
    return finish(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return finish(cudaSuccess);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue* value) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (value == nullptr) return finish(cudaErrorInvalidValue);
  if (id == cudaStreamAttributePriority) find_stream(stream)->priority = value->priority;
  return finish(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (value == nullptr) return finish(cudaErrorInvalidValue);
  *value = {};
  if (id == cudaStreamAttributePriority) value->priority = find_stream(stream)->priority;
  if (id == cudaStreamAttributeSynchronizationPolicy) value->syncPolicy = cudaSyncPolicyAuto;
  return finish(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache() { return finish(cudaSuccess); }

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t, unsigned int flags) {
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  const bool known =
      flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  const Allocation* const a = Arena::get().find_start(pointer);
  return finish(known && a != nullptr && a->kind == MemoryKind::managed ? cudaSuccess
                                                                        : cudaErrorInvalidValue);
}

}  // extern "C"
