// The driver API: devices, the context, memory, and a launch of a kernel that the program itself has.
#include <cuda.h>

#include <cstring>

#include "device.h"
#include "tests/catch.h"

namespace {

void times(int* values, int n, int factor) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] *= factor;
}

}  // namespace

TEST_CASE("driver API: the device, its attributes and its context") {
  Device device;
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  int count = 0, major = 0, sms = 0;
  CUdevice gpu = -1;
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 1);
  CHECK(cuDeviceGet(&gpu, 0) == CUDA_SUCCESS);
  CHECK(cuDeviceGet(&gpu, 1) == CUDA_ERROR_INVALID_DEVICE);
  char name[64] = "";
  CHECK(cuDeviceGetName(name, sizeof name, gpu) == CUDA_SUCCESS);
  CHECK(std::strstr(name, "H200") != nullptr);
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, gpu) == CUDA_SUCCESS);
  CHECK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, gpu) == CUDA_SUCCESS);
  CHECK(major == 9);
  int layers = 0;
  CHECK(cuDeviceGetAttribute(&layers, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, gpu) ==
        CUDA_SUCCESS);
  CHECK(layers == 2048);
  CHECK(sms == 132);
  CUcontext context = nullptr, current = nullptr;
  REQUIRE(cuCtxCreate(&context, 0, gpu) == CUDA_SUCCESS);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == context);
  CHECK(cuCtxPopCurrent(&current) == CUDA_SUCCESS);
  CHECK(cuCtxPopCurrent(&current) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPushCurrent(context) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  const char* text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "CUDA_ERROR_INVALID_CONTEXT");
  CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "out of memory");
}

TEST_CASE("driver API: memory, and a kernel through its function") {
  Device device;
  constexpr int kN = 100;
  std::vector<int> host(kN, 7);
  CUdeviceptr memory = 0;
  REQUIRE(cuMemAlloc(&memory, kN * sizeof(int)) == CUDA_SUCCESS);
  CHECK(cuMemAlloc(&memory, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyHtoD(memory, host.data(), kN * sizeof(int)) == CUDA_SUCCESS);
  CUfunction function = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&function, &times) == cudaSuccess);
  int n = kN, factor = 6;
  void* arguments[] = {&memory, &n, &factor};
  CHECK(cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  CHECK(cuLaunchKernel(nullptr, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) ==
        CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(host.data(), memory, kN * sizeof(int)) == CUDA_SUCCESS);
  CHECK(host == std::vector<int>(kN, 42));
  CHECK(cuMemsetD32(memory, 0x01010101u, kN) == CUDA_SUCCESS);
  CHECK(cuMemsetD32(memory, 1u, kN) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(device.findings().empty());
}

TEST_CASE("driver API: code for a GPU cannot be loaded, which is said") {
  Device device;
  CUmodule module = nullptr;
  CHECK(cuModuleLoad(&module, "kernels.ptx") == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(cuModuleLoadData(&module, "") == CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_CASE("driver API: memory is mapped, grows in place, and keeps what it holds") {
  Device device;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  std::size_t step = 0;
  REQUIRE(cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
          CUDA_SUCCESS);
  CUdeviceptr place = 0, other = 0;
  CUmemGenericAllocationHandle first = 0, second = 0;
  CHECK(cuMemAddressReserve(&place, step - 1, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemAddressReserve(&place, 2 * step, 0, 0, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemCreate(&first, step, &properties, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemCreate(&second, step, &properties, 0) == CUDA_SUCCESS);
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK(cuMemSetAccess(place, step, &access, 1) == CUDA_ERROR_INVALID_VALUE);  // nothing is mapped there
  REQUIRE(cuMemMap(place, step, 0, first, 0) == CUDA_SUCCESS);
  CHECK(cuMemMap(place, step, 0, second, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemMap(place + step, step, 0, second, 0) == CUDA_SUCCESS);
  CHECK(cuMemMap(place + step, step, 0, second, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemSetAccess(place, 2 * step, &access, 1) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(place, 7, 2 * step) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(place, 2 * step) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(place, step + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(place, 2 * step) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(place, 2 * step) == CUDA_SUCCESS);
  REQUIRE(cuMemAddressReserve(&other, step, 0, 0, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemMap(other, step, 0, second, 0) == CUDA_SUCCESS);
  CHECK(cuMemSetAccess(other, step, &access, 1) == CUDA_SUCCESS);
  unsigned char last = 0;
  CHECK(cuMemcpyDtoH(&last, other + step - 1, 1) == CUDA_SUCCESS);
  CHECK(last == 7);
  for (const CUmemGenericAllocationHandle handle : {first, second})
    CHECK(cuMemRelease(handle) == CUDA_SUCCESS);
  CHECK(cuMemRelease(first) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(other, step) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(other, step) == CUDA_SUCCESS);
  CHECK(device.findings().empty());
}
