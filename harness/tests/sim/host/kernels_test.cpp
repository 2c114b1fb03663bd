// Kernels as objects: launched by pointer, with attributes, and asked about.
#include "device.h"
#include "sim/engine/launch.h"
#include "tests/catch.h"

TEST_CASE("kernels are launched through every function of the host API") {
  Device device;
  int* data = device_ints(kThreads);
  int n = kThreads, value = 1;
  void* arguments[] = {&data, &n, &value};
  REQUIRE(cudaLaunchKernel(fill, dim3(1), dim3(kThreads), arguments, 0, nullptr) == cudaSuccess);
  CHECK(copied_back(data, n)[63] == 1);
  REQUIRE(cudaLaunchKernel(scale<int>, 1, kThreads, (value = 3, arguments)) == cudaSuccess);
  CHECK(copied_back(data, n)[63] == 3);

  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = kThreads;
  REQUIRE(cudaLaunchKernelEx(&config, add, data, n, 4) == cudaSuccess);
  CHECK(copied_back(data, n)[0] == 7);
  REQUIRE(cudaLaunchKernelExC(&config, add, (value = 2, arguments)) == cudaSuccess);
  CHECK(copied_back(data, n)[0] == 9);
  void (*chosen)(int*, int, int) = value == 2 ? fill : add;
  REQUIRE(cudaLaunchCooperativeKernel(chosen, 1, kThreads, arguments) == cudaSuccess);
  CHECK(copied_back(data, n)[0] == 2);
  CHECK(device.findings().empty());
}

TEST_CASE("a kernel cast to a plain pointer must have been registered") {
  Device device;
  int* data = device_ints(kThreads);
  int n = kThreads, value = 8;
  void* arguments[] = {&data, &n, &value};
  CHECK(cudaLaunchKernel((void*)add, 1, kThreads, arguments) == cudaErrorInvalidDeviceFunction);
  workbook::sim::register_kernel(fill);
  REQUIRE(cudaLaunchKernel((void*)fill, 1, kThreads, arguments) == cudaSuccess);
  CHECK(copied_back(data, n)[1] == 8);
}

TEST_CASE("attributes of a launch are read") {
  Device device;
  int* data = device_ints(kThreads);
  cudaLaunchAttribute attributes[3];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = 1;
  attributes[2].id = cudaLaunchAttributeIgnore;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = kThreads;
  config.attrs = attributes;
  config.numAttrs = 3;
  CHECK(cudaLaunchKernelEx(&config, fill, data, kThreads, 1) == cudaSuccess);
  attributes[2].id = cudaLaunchAttributeClusterDimension;
  attributes[2].val.clusterDim = {3, 1, 1};
  CHECK(cudaLaunchKernelEx(&config, fill, data, kThreads, 1) == cudaErrorInvalidClusterSize);
  attributes[2].id = static_cast<cudaLaunchAttributeID>(77);
  CHECK(cudaLaunchKernelEx(&config, fill, data, kThreads, 1) == cudaErrorInvalidValue);
}

TEST_CASE("a cooperative grid must be resident as a whole") {
  Device device;
  int* data = device_ints(kThreads);
  int n = 0, value = 1;
  void* arguments[] = {&data, &n, &value};
  CHECK(cudaLaunchCooperativeKernel(fill, 8 * 132 + 1, 256, arguments) == cudaErrorCooperativeLaunchTooLarge);
  CHECK_THAT(workbook::sim::last_launch_error(), contains_text("holds 1056 such blocks"));
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
}

TEST_CASE("kernels have names and attributes") {
  Device device;
  const char* name = nullptr;
  REQUIRE(cudaFuncGetName(&name, scale<float>) == cudaSuccess);
  CHECK(name == std::string("scale<float>"));
  cudaFuncAttributes attributes{};
  REQUIRE(cudaFuncGetAttributes(&attributes, use_shared) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes == kThreads * sizeof(int));
  CHECK(attributes.maxThreadsPerBlock == 1024);
  REQUIRE(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
  int* data = device_ints(1);
  fill_on({1, 1, 100 * 1024}, data, 1, 1);
  CHECK(cudaGetLastError() == cudaSuccess);
  add_on({1, 1, 100 * 1024}, data, 1, 1);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  // Static and dynamic memory have the limit together, and cudaFuncSetAttribute() is about the dynamic.
  constexpr int kStatic = kThreads * sizeof(int);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48 * 1024 - kStatic);
  int* many = device_ints(kThreads);
  use_shared_on({1, kThreads, 48 * 1024 - kStatic + 16}, many);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
  REQUIRE(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               227 * 1024 - kStatic) == cudaSuccess);
  use_shared_on({1, kThreads, 227 * 1024 - kStatic}, many);
  CHECK(cudaGetLastError() == cudaSuccess);
  int local = 0;
  CHECK(cudaFuncGetAttributes(&attributes, static_cast<const void*>(&local)) ==
        cudaErrorInvalidDeviceFunction);
}
