// The driver API, by the runtime: its results have the runtime's numbers.
#include "workbook_sim/runtime/driver.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "sim/runtime/call.h"

namespace workbook::sim {
namespace {

CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }
void* at(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }
void** place_of(CUdeviceptr* pointer) { return reinterpret_cast<void**>(pointer); }

CUcontext the_context() {
  static char one;
  return reinterpret_cast<CUcontext>(&one);
}
/// Whether the program has made the context current; the runtime's calls do that, too.
bool is_current = false;

bool is_initialised = false;

/// The runtime's calls initialise the driver, too.
CUresult check_initialised() {
  if (is_initialised || runtime_has_begun()) return CUDA_SUCCESS;
  because(CUDA_ERROR_NOT_INITIALIZED, "cuInit(0) comes before every other call of the driver API.");
  return CUDA_ERROR_NOT_INITIALIZED;
}

CUresult give_context(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = the_context();
  return CUDA_SUCCESS;
}

CUresult no_code(const char* call) {
  std::fprintf(
      stderr,
      "%s(): PTX, cubins and fatbins hold code for a GPU, which the simulator cannot run. Compile the "
      "kernels as part of the program, and take their functions with cudaGetFuncBySymbol().\n",
      call);
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return result(cudaMemcpy(to, from, bytes, kind));
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  is_initialised = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) { return result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult value, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (value) {
#define WORKBOOK_NAME(NAME, NUMBER) \
  case NAME:                        \
    *name = #NAME;                  \
    return CUDA_SUCCESS;
    WORKBOOK_SIM_DRIVER_RESULTS(WORKBOOK_NAME)
#undef WORKBOOK_NAME
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult value, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(value));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  return result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  cudaDeviceProp properties;
  if (name == nullptr || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) std::snprintf(name, static_cast<std::size_t>(bytes), "%s", properties.name);
  return result(error);
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  cudaDeviceProp properties;
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *uuid = properties.uuid;
  return result(error);
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
  return result(error);
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult first = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return first != CUDA_SUCCESS
             ? first
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetPCIBusId(char* text, int bytes, CUdevice device) {
  return result(cudaDeviceGetPCIBusId(text, bytes, device));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  return device == 0 ? give_context(context) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return device == 0 ? result(cudaDeviceReset()) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult workbook_sim_create_context(CUcontext* context, CUdevice device) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  is_current = true;
  return give_context(context);
}
CUresult cuCtxDestroy(CUcontext context) {
  if (context != the_context()) return CUDA_ERROR_INVALID_CONTEXT;
  is_current = false;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = is_current ? the_context() : nullptr;
  return CUDA_SUCCESS;
}
// There is one device, and no context but its own.
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned int) { return CUDA_ERROR_INVALID_CONTEXT; }
CUresult cuCtxDisablePeerAccess(CUcontext) { return CUDA_ERROR_INVALID_CONTEXT; }
CUresult cuCtxSetCurrent(CUcontext context) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  if (context != nullptr && context != the_context()) return CUDA_ERROR_INVALID_CONTEXT;
  is_current = context != nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
  return context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : cuCtxSetCurrent(context);
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (!is_current) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = the_context();
  is_current = false;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) { return result(cudaGetDevice(device)); }
CUresult cuCtxSynchronize() { return result(cudaDeviceSynchronize()); }
CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}

CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
  if (const CUresult error = check_initialised(); error != CUDA_SUCCESS) return error;
  if (pointer == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return result(cudaMalloc(place_of(pointer), bytes));
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned int flags) {
  if (pointer == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return result(cudaMallocManaged(place_of(pointer), bytes, flags));
}
CUresult cuMemAllocPitch(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned int) {
  return result(cudaMallocPitch(place_of(pointer), pitch, width, height));
}
CUresult cuMemFree(CUdeviceptr pointer) { return result(cudaFree(at(pointer))); }
CUresult cuMemAllocHost(void** pointer, std::size_t bytes) { return result(cudaMallocHost(pointer, bytes)); }
CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  return result(cudaHostAlloc(pointer, bytes, flags));
}
CUresult cuMemFreeHost(void* pointer) { return result(cudaFreeHost(pointer)); }
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags) {
  return result(cudaHostGetDevicePointer(place_of(device), host, flags));
}
CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) { return result(cudaMemGetInfo(free, total)); }

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(at(to), at(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy(at(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, at(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(at(to), at(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream));
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
  return result(cudaMemset(at(to), value, count));
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, std::size_t count) {
  if (value != (value & 0xffu) * 0x01010101u) return CUDA_ERROR_NOT_SUPPORTED;
  return result(cudaMemset(at(to), static_cast<int>(value & 0xffu), count * sizeof value));
}

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return result(cudaStreamCreateWithFlags(stream, flags));
}
CUresult cuStreamDestroy(CUstream stream) { return result(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return result(cudaStreamSynchronize(stream)); }
CUresult cuStreamQuery(CUstream stream) { return result(cudaStreamQuery(stream)); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return result(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return result(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventRecord(CUevent event, CUstream stream) { return result(cudaEventRecord(event, stream)); }
CUresult cuEventSynchronize(CUevent event) { return result(cudaEventSynchronize(event)); }
CUresult cuEventQuery(CUevent event) { return result(cudaEventQuery(event)); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return result(cudaEventElapsedTime(milliseconds, start, end));
}
CUresult cuEventDestroy(CUevent event) { return result(cudaEventDestroy(event)); }

CUresult cuModuleLoad(CUmodule*, const char*) { return no_code("cuModuleLoad"); }
CUresult cuModuleLoadData(CUmodule*, const void*) { return no_code("cuModuleLoadData"); }
CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned int, CUjit_option*, void**) {
  return no_code("cuModuleLoadDataEx");
}
CUresult cuModuleLoadFatBinary(CUmodule*, const void*) { return no_code("cuModuleLoadFatBinary"); }
CUresult cuModuleUnload(CUmodule) { return CUDA_ERROR_INVALID_HANDLE; }
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*) { return CUDA_ERROR_INVALID_HANDLE; }
CUresult cuModuleGetGlobal(CUdeviceptr*, std::size_t*, CUmodule, const char*) {
  return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void** arguments, void** extra) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (extra != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const LaunchableKernel kernel(static_cast<const void*>(function));
  return result(cudaLaunchKernel(kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, arguments,
                                 shared_bytes, stream));
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  cudaFuncAttributes all;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaFuncGetAttributes(&all, static_cast<const void*>(function));
      error != cudaSuccess)
    return result(error);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = all.preferredShmemCarveout;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return result(cudaFuncSetAttribute(static_cast<const void*>(function),
                                     static_cast<cudaFuncAttribute>(attribute), value));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                     std::size_t dynamic_bytes) {
  return result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, static_cast<const void*>(function),
                                                              block_size, dynamic_bytes));
}

CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_of, std::size_t dynamic_bytes,
                                          int limit) {
  if (least_grid == nullptr || block_size == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto* const kernel = static_cast<const void*>(function);
  cudaFuncAttributes all;
  int sms = 0, most = 0;
  if (const cudaError_t error = cudaFuncGetAttributes(&all, kernel); error != cudaSuccess)
    return result(error);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int largest = limit > 0 ? std::min(limit, all.maxThreadsPerBlock) : all.maxThreadsPerBlock;
  for (int threads = (largest + 31) / 32 * 32; threads > 0; threads -= 32) {
    const int size = std::min(threads, largest);
    int blocks = 0;
    const std::size_t bytes = shared_of == nullptr ? dynamic_bytes : shared_of(size);
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, bytes) != cudaSuccess) continue;
    if (blocks * size <= most) continue;
    most = blocks * size;
    *block_size = size;
    *least_grid = blocks * sms;
  }
  return most > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState*) { return no_code("cuLinkCreate"); }
CUresult cuLinkAddData(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned int,
                       CUjit_option*, void**) {
  return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLinkAddFile(CUlinkState, CUjitInputType, const char*, unsigned int, CUjit_option*, void**) {
  return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLinkComplete(CUlinkState, void**, std::size_t*) { return CUDA_ERROR_INVALID_HANDLE; }
CUresult cuLinkDestroy(CUlinkState) { return CUDA_ERROR_INVALID_HANDLE; }

}  // extern "C"
