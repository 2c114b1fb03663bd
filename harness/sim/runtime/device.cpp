// The simulated device, as programs ask about it.
#include "workbook_sim/runtime/device.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "clock/gpus.h"
#include "sim/check/device_printf.h"
#include "sim/check/diagnosis.h"
#include "sim/check/memory_findings.h"
#include "sim/engine/arena.h"
#include "sim/engine/deep_stack.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/engine.h"
#include "sim/runtime/call.h"
#include "sim/runtime/copies.h"
#include "sim/runtime/streams.h"

namespace workbook::sim {
namespace {

constexpr int kCudaVersion = 13000;  // 13.0: the version whose interface this is

cudaDeviceProp properties_of(const GpuSpec& gpu) {
  cudaDeviceProp p{};
  const std::string name = std::string(gpu.name) + " (modelled)";
  std::snprintf(p.name, sizeof p.name, "%s", name.c_str());
  std::memcpy(p.uuid.bytes, gpu.key.data(), std::min(gpu.key.size(), sizeof p.uuid.bytes));
  p.totalGlobalMem = static_cast<std::size_t>(gpu.memory_gb * 1e9);
  p.sharedMemPerBlock = 48 * 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = kRegistersPerSm;
  p.warpSize = kWarpSize;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = kMaxThreads;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64 * 1024;
  p.major = gpu.major;
  p.minor = gpu.minor;
  p.textureAlignment = p.surfaceAlignment = kTextureAlignment;
  p.texturePitchAlignment = kTexturePitchAlignment;
  p.multiProcessorCount = gpu.sms;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.managedMemory = p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = 1;
  p.hostRegisterSupported = p.hostRegisterReadOnlySupported = p.memoryPoolsSupported = p.deviceOverlap = 1;
  p.asyncEngineCount = 2;
  p.memoryBusWidth = gpu.memory_bus_bits;
  p.l2CacheSize = static_cast<int>(gpu.l2_mb * 1e6);
  p.maxThreadsPerMultiProcessor = gpu.threads_per_sm;
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(gpu.shared_kb_per_sm) * 1024;
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(gpu.shared_kb_per_block) * 1024;
  p.reservedSharedMemPerBlock = gpu.major >= 8 ? 1024 : 0;
  p.maxBlocksPerMultiProcessor = gpu.blocks_per_sm;
  p.clusterLaunch = gpu.major >= 9;
  p.unifiedFunctionPointers = 0;
  p.clockRate = static_cast<int>(gpu.clock_ghz * 1e6);
  p.memoryClockRate = static_cast<int>(gpu.memory_clock_ghz * 1e6);
  // Of textures and surfaces: the limits of all GPUs of compute capability 7 to 9.
  constexpr int k1D = 131072, k2D = 65536, k3D = 16384, kCube = 32768, kLayers = 2048;
  p.maxTexture1D = k1D;
  p.maxTexture1DMipmap = p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = kCube;
  p.maxTexture1DLinear = 1 << 28;
  p.maxTexture2D[0] = k1D;
  p.maxTexture2D[1] = k2D;
  p.maxTexture2DLinear[0] = k1D;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = kCube;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = k3D;
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = k3D / 2;
  p.maxTexture3DAlt[2] = kCube;
  p.maxTextureCubemap = p.maxTexture1DLayered[0] = p.maxTextureCubemapLayered[0] = kCube;
  p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = kLayers;
  p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = kCube;
  p.maxTextureCubemapLayered[1] = p.maxSurfaceCubemapLayered[1] = 2046;
  p.maxSurface1D = p.maxSurface1DLayered[0] = kCube;
  p.maxSurface2D[0] = k1D;
  p.maxSurface2D[1] = k2D;
  p.maxSurface3D[0] = p.maxSurface3D[1] = p.maxSurface3D[2] = k3D;
  p.maxSurface1DLayered[1] = p.maxSurface2DLayered[2] = kLayers;
  p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = kCube;
  p.maxSurfaceCubemap = p.maxSurfaceCubemapLayered[0] = kCube;
  p.persistingL2CacheMaxSize = gpu.major >= 8 ? p.l2CacheSize * 5 / 8 : 0;
  p.accessPolicyMaxWindowSize = gpu.major >= 8 ? 128 << 20 : 0;
  p.singleToDoublePrecisionPerfRatio = static_cast<int>(std::lround(gpu.fp32_tflops / gpu.fp64_tflops));
  return p;
}

/// CUDA's answer for an attribute that is a property too; -1: not an attribute of this table.
long long attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  const std::map<int, long long> known = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, p.totalConstMem},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxPitch, p.memPitch},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrTextureAlignment, p.textureAlignment},
      {cudaDevAttrGpuOverlap, p.deviceOverlap},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrKernelExecTimeout, p.kernelExecTimeoutEnabled},
      {cudaDevAttrIntegrated, p.integrated},
      {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
      {cudaDevAttrComputeMode, p.computeMode},
      {cudaDevAttrSurfaceAlignment, p.surfaceAlignment},
      {cudaDevAttrConcurrentKernels, p.concurrentKernels},
      {cudaDevAttrEccEnabled, p.ECCEnabled},
      {cudaDevAttrPciBusId, p.pciBusID},
      {cudaDevAttrPciDeviceId, p.pciDeviceID},
      {cudaDevAttrTccDriver, p.tccDriver},
      {cudaDevAttrMemoryClockRate, p.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {cudaDevAttrPciDomainId, p.pciDomainID},
      {cudaDevAttrTexturePitchAlignment, p.texturePitchAlignment},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
      {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
      {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, p.managedMemory},
      {cudaDevAttrIsMultiGpuBoard, p.isMultiGpuBoard},
      {cudaDevAttrMultiGpuBoardGroupID, p.multiGpuBoardGroupID},
      {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
      {cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess},
      {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
      {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
      {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported},
      {cudaDevAttrPageableMemoryAccessUsesHostPageTables, p.pageableMemoryAccessUsesHostPageTables},
      {cudaDevAttrDirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
      {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
      {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
      {cudaDevAttrHostRegisterReadOnlySupported, p.hostRegisterReadOnlySupported},
      {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
      {cudaDevAttrMemoryPoolSupportedHandleTypes, 0},  // of pools that other processes share
      {static_cast<cudaDeviceAttr>(102), 1},  // virtual memory management: only the driver API has its name
      {static_cast<cudaDeviceAttr>(103), 0},  // handles of it for other processes, of three kinds
      {static_cast<cudaDeviceAttr>(104), 0},
      {static_cast<cudaDeviceAttr>(105), 0},
      {static_cast<cudaDeviceAttr>(107), 0},  // memory that is compressed
      {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
      {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
      {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
      {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
      {cudaDevAttrMaxTexture2DLayeredWidth, p.maxTexture2DLayered[0]},
      {cudaDevAttrMaxTexture2DLayeredHeight, p.maxTexture2DLayered[1]},
      {cudaDevAttrMaxTexture2DLayeredLayers, p.maxTexture2DLayered[2]},
      {cudaDevAttrMaxTexture1DLayeredWidth, p.maxTexture1DLayered[0]},
      {cudaDevAttrMaxTexture1DLayeredLayers, p.maxTexture1DLayered[1]},
      {cudaDevAttrCooperativeMultiDeviceLaunch, p.cooperativeMultiDeviceLaunch},
      {cudaDevAttrCanFlushRemoteWrites, 0},
      {cudaDevAttrClusterLaunch, p.clusterLaunch}};
  const auto found = known.find(attribute);
  return found == known.end() ? -1 : found->second;
}

std::map<int, std::size_t>& limits() {
  static auto& values = *new std::map<int, std::size_t>{{cudaLimitStackSize, 1024},
                                                        {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
                                                        {cudaLimitMallocHeapSize, std::size_t{8} << 20},
                                                        {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                                        {cudaLimitMaxL2FetchGranularity, 64},
                                                        {cudaLimitPersistingL2CacheSize, 0}};
  return values;
}

unsigned int device_flags = cudaDeviceScheduleAuto;
cudaFuncCache cache_config = cudaFuncCachePreferNone;

cudaError_t give(int* to, int value) {
  if (to == nullptr) return finish(cudaErrorInvalidValue);
  *to = value;
  return finish(cudaSuccess);
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

unsigned int workbook_sim_multiprocessors() { return static_cast<unsigned int>(current_gpu().sms); }

cudaError_t cudaGetDeviceCount(int* count) { return give(count, 1); }
cudaError_t cudaGetDevice(int* device) { return give(device, 0); }
cudaError_t cudaSetDevice(int device) { return finish(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return finish(cudaErrorInvalidValue);
  if (device != 0) return finish(cudaErrorInvalidDevice);
  *properties = properties_of(current_gpu());
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return finish(cudaErrorInvalidDevice);
  const long long known = attribute_of(properties_of(current_gpu()), attribute);
  return known < 0 ? finish(cudaErrorInvalidValue) : give(value, static_cast<int>(known));
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  if (text == nullptr || bytes < 13) return finish(cudaErrorInvalidValue);
  if (device != 0) return finish(cudaErrorInvalidDevice);
  std::snprintf(text, static_cast<std::size_t>(bytes), "0000:00:00.0");
  return finish(cudaSuccess);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return properties == nullptr ? finish(cudaErrorInvalidValue) : give(device, 0);
}

cudaError_t cudaDriverGetVersion(int* version) { return give(version, kCudaVersion); }
cudaError_t cudaRuntimeGetVersion(int* version) { return give(version, kCudaVersion); }

cudaError_t cudaDeviceReset() {
  const Pc pc = WORKBOOK_CALL.pc;
  Arena& arena = Arena::get();
  std::vector<void*> live;
  for (const auto& a : arena.allocations())
    if (a->live) live.push_back(reinterpret_cast<void*>(arena.address_of(a->offset)));
  if (workbook_sim_is_diagnosing()) report_leaks(Diagnosis::get().findings);  // not hidden by what comes now
  StreamOrder::get().forget();
  for (void* pointer : live) arena.release(pointer, pc);
  DeviceHeap::get().clear();
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  const auto found = limits().find(limit);
  if (found == limits().end()) return finish(cudaErrorUnsupportedLimit);
  if (limit == cudaLimitMallocHeapSize)
    return finish(DeviceHeap::get().set_limit(value) ? cudaSuccess : cudaErrorInvalidValue);
  if (limit == cudaLimitStackSize && workbook_sim_is_diagnosing()) DeepStack::get().set_limit(value);
  if (limit == cudaLimitPrintfFifoSize) PrintedOutput::get().set_room(value);
  found->second = value;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  const auto found = limits().find(limit);
  if (found == limits().end()) return finish(cudaErrorUnsupportedLimit);
  if (value == nullptr) return finish(cudaErrorInvalidValue);
  *value = limit == cudaLimitMallocHeapSize ? DeviceHeap::get().limit() : found->second;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
    return finish(cudaErrorInvalidValue);
  cache_config = config;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config == nullptr) return finish(cudaErrorInvalidValue);
  *config = cache_config;
  return finish(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  device_flags = flags;
  return finish(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags == nullptr) return finish(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return finish(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus) {
  if (bus == nullptr || std::strcmp(bus, "0000:00:00.0") != 0) return finish(cudaErrorInvalidValue);
  return give(device, 0);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return finish(cudaSuccess); }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config == nullptr) return finish(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return finish(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  for (int i = 0; i < count; ++i)
    if (devices == nullptr || devices[i] != 0) return finish(cudaErrorInvalidDevice);
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return finish(cudaErrorInvalidDevice);
  return give(can, 0);
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return finish(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return finish(cudaErrorInvalidDevice); }

}  // extern "C"
