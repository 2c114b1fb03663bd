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

TEST_CASE("after a store to where a GPU has no memory every call fails and nothing moves") {
  Device device;
  int* x = device_ints(64);
  int* y = device_ints(64);
  int* seen = nullptr;
  REQUIRE(cudaMallocManaged(&seen, 4 * sizeof(int)) == cudaSuccess);
  seen[0] = 7;
  store_on({1, 1}, x + (8 << 20));
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  fill_on(blocks_for(64), y, 64, 3);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  fill_on({1, 4}, seen, 4, 9);
  CHECK(seen[0] == 7);
  int host = -1;
  CHECK(cudaMemcpy(&host, y, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  CHECK(host == -1);
  fill_on(blocks_for(200), y, 100, 3);  // is looked at all the same
  CHECK(cudaFree(x) == cudaErrorIllegalAddress);
  const auto found = device.findings();
  REQUIRE(found.size() == 2);
  CHECK(found[0].fatal);
  CHECK_FALSE(found[1].fatal);
}

TEST_CASE("a store past an allocation, within the pages that a GPU gives it, ends nothing") {
  Device device;
  int* x = device_ints(64);
  store_on({1, 1}, x + 64);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  fill_on(blocks_for(64), x, 64, 3);
  CHECK(copied_back(x, 64)[63] == 3);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].fatal);
}

TEST_CASE("what was freed is gone where it had pages of its own") {
  for (const int ints : {64, 1 << 20}) {
    Device device;
    int* x = device_ints(ints);
    REQUIRE(cudaFree(x) == cudaSuccess);
    store_on({1, 1}, x);
    CHECK(cudaDeviceSynchronize() == (ints > 64 ? cudaErrorIllegalAddress : cudaSuccess));
    const auto found = device.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].klass == workbook::runs::FindingClass::use_after_free);
    CHECK(found[0].fatal == (ints > 64));
  }
}
