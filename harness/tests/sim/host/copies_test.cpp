#include <numeric>

#include "device.h"
#include "tests/catch.h"

namespace {

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

TEST_CASE("copies go there and back, in every direction") {
  Device device;
  const std::vector<int> host = counted(100);
  int *a = device_ints(100), *b = device_ints(100);
  REQUIRE(cudaMemcpy(a, host.data(), 400, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(b, a, 400, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(copied_back(b, 100) == host);
  std::vector<int> again(100);
  REQUIRE(cudaMemcpy(again.data(), b, 400, cudaMemcpyDefault) == cudaSuccess);
  CHECK(again == host);
  std::vector<int> other(100);
  REQUIRE(cudaMemcpy(other.data(), host.data(), 400, cudaMemcpyHostToHost) == cudaSuccess);
  CHECK(other == host);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault) == cudaSuccess);
  CHECK(device.findings().empty());
}

TEST_CASE("a copy past the end of an allocation is not made") {
  Device device;
  std::vector<int> host(101, 7);
  int* short_one = nullptr;
  cudaMalloc(&short_one, 400);
  const int line = __LINE__ + 1;
  CHECK(cudaMemcpy(short_one, host.data(), 404, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE_ONE_FINDING(device, workbook::runs::FindingClass::oob_global, line,
                      "writes 404 bytes to short_one, which has 400 bytes: 4 bytes past");
  CHECK(cudaMemcpy(host.data(), short_one + 1, 400, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(short_one, 0, 401) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(device.findings().size() == 2);
}

TEST_CASE("a direction that does not fit its pointers is an error") {
  Device device;
  std::vector<int> host(4);
  int* data = device_ints(4);
  const int line = __LINE__ + 1;
  CHECK(cudaMemcpy(host.data(), data, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE_ONE_FINDING(device, workbook::runs::FindingClass::host_deref, line,
                      "the destination is host memory");
  CHECK(cudaMemcpy(host.data(), data, 16, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), data, 16, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), data, 16, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemset(host.data(), 0, 16) == cudaErrorInvalidValue);
}

TEST_CASE("copies from freed memory and null pointers are findings") {
  Device device;
  std::vector<int> host(4);
  int* gone = device_ints(4);
  cudaFree(gone);
  CHECK(cudaMemcpy(host.data(), gone, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(nullptr, 0, 16) == cudaErrorInvalidValue);
  const auto found = device.findings();
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].message, contains_text("freed at"));
  CHECK_THAT(found[1].message, contains_text("null"));
}

TEST_CASE("pitched rows keep their padding out of the copy") {
  Device device;
  const int width = 10, height = 3;
  const std::vector<int> host = counted(width * height);
  int* data = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&data, &pitch, width * sizeof(int), height) == cudaSuccess);
  CHECK(pitch == 512);
  REQUIRE(cudaMemcpy2D(data, pitch, host.data(), width * sizeof(int), width * sizeof(int), height,
                       cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(reinterpret_cast<int*>(reinterpret_cast<char*>(data) + 2 * pitch)[9] == 29);
  std::vector<int> back(host.size());
  REQUIRE(cudaMemcpy2DAsync(back.data(), width * sizeof(int), data, pitch, width * sizeof(int), height,
                            cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == host);
  CHECK(cudaMemcpy2D(data, 4, host.data(), 40, 40, height, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(data, pitch, 0, width * sizeof(int), height) == cudaSuccess);
  CHECK(device.findings().empty());
  CHECK(cudaMemset2D(data, pitch, 0, width * sizeof(int), height + 1) == cudaErrorInvalidValue);
  CHECK(device.findings().size() == 1);
}

TEST_CASE("boxes are copied slice by slice") {
  Device device;
  const std::size_t w = 5 * sizeof(int), h = 3, d = 2;
  std::vector<int> host = counted(30);
  cudaPitchedPtr box{};
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(w, h, d)) == cudaSuccess);
  cudaMemcpy3DParms there{};
  there.srcPtr = make_cudaPitchedPtr(host.data(), w, w, h);
  there.dstPtr = box;
  there.extent = make_cudaExtent(w, h, d);
  there.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&there) == cudaSuccess);
  std::vector<int> back(host.size());
  cudaMemcpy3DParms home{};
  home.srcPtr = box;
  home.dstPtr = make_cudaPitchedPtr(back.data(), w, w, h);
  home.extent = there.extent;
  home.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&home) == cudaSuccess);
  CHECK(back == host);
  CHECK(cudaMemset3D(box, 0, there.extent) == cudaSuccess);
  CHECK(device.findings().empty());
}

TEST_CASE("constant and device variables are copied by name") {
  Device device;
  const float values[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpyToSymbol(coefficients, values, sizeof values) == cudaSuccess);
  float* y = nullptr;
  cudaMalloc(&y, 8 * sizeof(float));
  apply_on(blocks_for(8), y, 8);
  float back[8];
  cudaMemcpy(back, y, sizeof back, cudaMemcpyDeviceToHost);
  CHECK(back[6] == 3.0f);
  REQUIRE(cudaMemcpyToSymbol(coefficients, values, sizeof(float), 3 * sizeof(float)) == cudaSuccess);
  CHECK(coefficients[3] == 1.0f);

  int zero = 0, counted_to = -1;
  REQUIRE(cudaMemcpyToSymbol(counter, &zero, sizeof zero) == cudaSuccess);
  count_on({2, 32});
  REQUIRE(cudaMemcpyFromSymbol(&counted_to, counter, sizeof counted_to) == cudaSuccess);
  CHECK(counted_to == 64);
  void* address = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaGetSymbolAddress(&address, counter) == cudaSuccess);
  REQUIRE(cudaGetSymbolSize(&bytes, coefficients) == cudaSuccess);
  CHECK(bytes == 16);
  REQUIRE(cudaMemset(address, 0, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(&counted_to, address, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(counted_to == 0);
  CHECK(device.findings().empty());

  CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof values, 4) == cudaErrorInvalidValue);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0].message, contains_text("16 bytes from byte 4"));
  CHECK(cudaMemcpyToSymbol(&coefficients, values, sizeof values) == cudaErrorInvalidSymbol);
}
