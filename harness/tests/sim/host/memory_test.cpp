#include "device.h"
#include "sim/check/memory_findings.h"
#include "tests/catch.h"

using namespace workbook::sim;

TEST_CASE("allocations are separate, and freeing gives the memory back") {
  Device device;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  float *a = nullptr, *b = nullptr;
  REQUIRE(cudaMalloc(&a, 1000) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&b), 1000) == cudaSuccess);
  CHECK(a != b);
  CHECK(reinterpret_cast<std::uintptr_t>(b) % 256 == 0);
  cudaMemGetInfo(&during, &total);
  CHECK(before - during == 2000);
  CHECK(cudaFree(a) == cudaSuccess);
  CHECK(cudaFree(b) == cudaSuccess);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  cudaMemGetInfo(&after, &total);
  CHECK(after == before);
  CHECK(device.findings().empty());
}

TEST_CASE("too much memory is refused, nothing is null") {
  Device device;
  int* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, std::size_t{1} << 40) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMalloc(static_cast<int**>(nullptr), 4) == cudaErrorInvalidValue);
}

TEST_CASE("freeing in a loop never runs out of addresses") {
  Device device;
  Arena::get().poison = false;  // or the test would fill 48 GiB
  for (int i = 0; i < 48; ++i) {
    void *a = nullptr, *b = nullptr;
    REQUIRE(cudaMalloc(&a, std::size_t{3} << 30) == cudaSuccess);
    REQUIRE(cudaMalloc(&b, std::size_t{1} << 30) == cudaSuccess);
    REQUIRE(cudaFree(a) == cudaSuccess);
    REQUIRE(cudaFree(b) == cudaSuccess);
  }
  for (int i = 0; i < 3000; ++i) REQUIRE(cudaFree(device_ints(16)) == cudaSuccess);
  CHECK(Arena::get().allocations().size() < 1200);
  Arena::get().poison = true;
}

TEST_CASE("memory taken again counts as uninitialised") {
  Device device;
  Arena::get().poison = false;
  void* most = nullptr;
  REQUIRE(cudaMalloc(&most, std::size_t{9} << 30) == cudaSuccess);
  cudaMemset(most, 1, 4096);
  cudaFree(most);
  REQUIRE(cudaMalloc(&most, std::size_t{9} << 30) == cudaSuccess);
  const std::uint64_t offset = Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(most));
  CHECK(Arena::get().first_uninitialised(offset, 4096) == offset);
  cudaMemset(most, 1, 5);
  CHECK(Arena::get().first_uninitialised(offset, 4096) == offset + 5);
  CHECK_FALSE(Arena::get().first_uninitialised(offset + 1, 4).has_value());
  Arena::get().poison = true;
}

TEST_CASE("a second free names the first") {
  Device device;
  int* twice = nullptr;
  cudaMalloc(&twice, 64);
  const int first = __LINE__ + 1;
  cudaFree(twice);
  CHECK(cudaFree(twice) == cudaErrorInvalidValue);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].at.line == first + 1);
  CHECK(found[0].object == "twice");
  CHECK_THAT(found[0].message,
             contains_text("freed twice") && contains_text("memory_test.cpp:" + std::to_string(first)));
}

TEST_CASE("a kernel that uses freed memory is told where it was freed") {
  Device device;
  int* data = device_ints(kThreads);
  const int line = __LINE__ + 1;
  cudaFree(data);
  fill_on(blocks_for(kThreads), data, kThreads, 1);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].klass == workbook::runs::FindingClass::use_after_free);
  CHECK(found[0].count == kThreads);
  REQUIRE(found[0].other.has_value());
  CHECK(found[0].other->line == line);
  CHECK_THAT(found[0].message, contains_text("freed at") && contains_text(":" + std::to_string(line)));
}

TEST_CASE("pinned and managed memory belong to both sides") {
  Device device;
  int *pinned = nullptr, *managed = nullptr, *seen = nullptr;
  REQUIRE(cudaMallocHost(&pinned, kThreads * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, kThreads * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaHostGetDevicePointer(&seen, pinned, 0) == cudaSuccess);
  for (int i = 0; i < kThreads; ++i) pinned[i] = managed[i] = i;
  add_on(blocks_for(kThreads), seen, kThreads, 1);
  add_on(blocks_for(kThreads), managed, kThreads, 2);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(pinned[63] == 64);
  CHECK(managed[63] == 65);
  CHECK(device.findings().empty());
  CHECK(cudaFreeHost(managed) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("registered memory may be used by kernels while it is registered") {
  Device device;
  std::vector<int> host(kThreads, 5);
  const std::size_t bytes = host.size() * sizeof(int);
  REQUIRE(cudaHostRegister(host.data(), bytes, cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaHostRegister(host.data(), bytes, 0) == cudaErrorHostMemoryAlreadyRegistered);
  add_on(blocks_for(kThreads), host.data(), kThreads, 1);
  CHECK(host[10] == 6);
  CHECK(device.findings().empty());
  CHECK(cudaHostUnregister(host.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(host.data()) == cudaErrorHostMemoryNotRegistered);
  add_on(blocks_for(kThreads), host.data(), kThreads, 1);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].fatal);
}

TEST_CASE("pointers know what they point to") {
  Device device;
  int *plain = device_ints(4), *managed = nullptr, *pinned = nullptr, local = 0;
  cudaMallocManaged(&managed, 4);
  cudaMallocHost(&pinned, 4);
  const auto type = [](const void* p) {
    cudaPointerAttributes a{};
    REQUIRE(cudaPointerGetAttributes(&a, p) == cudaSuccess);
    return a.type;
  };
  CHECK(type(plain + 3) == cudaMemoryTypeDevice);
  CHECK(type(managed) == cudaMemoryTypeManaged);
  CHECK(type(pinned) == cudaMemoryTypeHost);
  CHECK(type(&local) == cudaMemoryTypeUnregistered);
  CHECK(cudaMemPrefetchAsync(managed, 4, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 4, {cudaMemLocationTypeDevice, 0}, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(plain, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(managed, 4, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 8, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
}

TEST_CASE("memory that is never freed is one warning a line") {
  Device device;
  int* kept[3];
  const int line = __LINE__ + 1;
  for (int*& pointer : kept) cudaMalloc(&pointer, 100);
  int* freed = device_ints(8);
  cudaFree(freed);
  report_leaks(Diagnosis::get().findings);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].klass == workbook::runs::FindingClass::leak);
  CHECK(found[0].severity == workbook::runs::Severity::warning);
  CHECK(found[0].count == 3);
  CHECK(found[0].at.line == line);
  CHECK_THAT(found[0].message, contains_text("3 allocations") && contains_text("300 bytes"));
}

TEST_CASE("stream-ordered allocation is allocation") {
  Device device;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  int* data = nullptr;
  REQUIRE(cudaMallocAsync(&data, kThreads * sizeof(int), stream) == cudaSuccess);
  fill_on(blocks_for(kThreads, stream), data, kThreads, 9);
  CHECK(copied_back(data, kThreads)[5] == 9);
  CHECK(cudaFreeAsync(data, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(data, stream) == cudaErrorInvalidValue);
  CHECK(device.findings().size() == 1);
  cudaStreamDestroy(stream);
}

TEST_CASE("what the lanes of a warp do to neighbouring words is kept once, and a number for each word") {
  using workbook::sim::Shadow;
  Device device;
  auto& shadow = workbook::sim::Arena::get().shadow();
  const int n = 1 << 16;
  int* x = device_ints(n);
  const std::uint64_t offset = workbook::sim::Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(x));
  REQUIRE(cudaMemset(x, 0, n * sizeof(int)) == cudaSuccess);
  CHECK_FALSE(shadow.first_uninitialised(offset, n * sizeof(int)).has_value());
  CHECK(*shadow.readers(offset / 4) == 0);
  CHECK(shadow.writer(offset / 4) == 0);
  add_on(blocks_for(n), x, n, 1);
  // The lanes of a warp share one context; a launch later nothing of it counts any more.
  const Shadow::Record first = shadow.writer(offset / 4), second = shadow.writer(offset / 4 + 1);
  CHECK(first % 32 == 0);
  CHECK(second == first + 1);
  CHECK(shadow.writer_now(offset / 4) == first);
  fill_on(blocks_for(1), x, 1, 5);
  CHECK(shadow.writer_now(offset / 4 + 1) == 0);
  CHECK(device.findings().empty());
  cudaFree(x);
  CHECK(shadow.first_uninitialised(offset, 4) == offset);
  CHECK(shadow.writer(offset / 4) == 0);
}
