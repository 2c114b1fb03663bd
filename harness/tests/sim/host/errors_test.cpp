#include "device.h"
#include "tests/catch.h"

TEST_CASE("errors have NVIDIA's names, numbers and texts") {
  CHECK(cudaGetErrorName(cudaErrorMemoryAllocation) == std::string("cudaErrorMemoryAllocation"));
  CHECK(cudaGetErrorString(cudaErrorInvalidConfiguration) == std::string("invalid configuration argument"));
  CHECK(cudaGetErrorString(cudaErrorIllegalAddress) ==
        std::string("an illegal memory access was encountered"));
  CHECK(static_cast<int>(cudaErrorCooperativeLaunchTooLarge) == 720);
  CHECK(static_cast<int>(cudaErrorStreamCaptureUnsupported) == 900);
  CHECK(cudaGetErrorString(static_cast<cudaError_t>(12345)) == std::string("unrecognized error code"));
  CHECK(cudaGetErrorName(static_cast<cudaError_t>(12345)) == std::string("unrecognized error code"));
}

TEST_CASE("the latest error is kept until it is asked for") {
  Device device;
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a kernel's fault shows when the host waits, and stays") {
  Device device;
  store_on({1, 1}, nullptr);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 4) == cudaErrorIllegalAddress);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].fatal);
}
