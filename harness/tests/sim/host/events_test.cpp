#include "device.h"
#include "tests/catch.h"

namespace {

float elapsed_ms(cudaEvent_t a, cudaEvent_t b) {
  float ms = -1;
  REQUIRE(cudaEventElapsedTime(&ms, a, b) == cudaSuccess);
  return ms;
}

struct Pair {
  cudaEvent_t start = nullptr, stop = nullptr;
  Pair() {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  ~Pair() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
};

}  // namespace

TEST_CASE("events measure the modelled time of what lies between them") {
  Device device;
  int* data = device_ints(1 << 16);
  Pair small, large;
  cudaEventRecord(small.start);
  fill_on(blocks_for(1 << 8), data, 1 << 8, 1);
  cudaEventRecord(small.stop);
  cudaEventRecord(large.start);
  fill_on(blocks_for(1 << 16), data, 1 << 16, 1);
  cudaEventRecord(large.stop);
  cudaEventSynchronize(large.stop);
  CHECK(elapsed_ms(small.start, small.stop) > 0.0005f);
  CHECK(elapsed_ms(large.start, large.stop) > elapsed_ms(small.start, small.stop));
  CHECK(elapsed_ms(large.start, large.stop) < 0.1f);
}

TEST_CASE("a copy takes the time of its link, pageable memory more") {
  Device device;
  const std::size_t bytes = std::size_t{8} << 20;
  int *data = nullptr, *pinned = nullptr;
  cudaMalloc(&data, bytes);
  cudaMallocHost(&pinned, bytes);
  std::vector<char> pageable(bytes);
  Pair fast, slow;
  cudaEventRecord(fast.start);
  cudaMemcpyAsync(data, pinned, bytes, cudaMemcpyHostToDevice);
  cudaEventRecord(fast.stop);
  cudaEventRecord(slow.start);
  cudaMemcpyAsync(data, pageable.data(), bytes, cudaMemcpyHostToDevice);
  cudaEventRecord(slow.stop);
  const double pinned_ms = static_cast<double>(bytes) / (63e9 * 0.85) * 1e3;
  CHECK(elapsed_ms(fast.start, fast.stop) == Approx(pinned_ms + 0.002).epsilon(0.01));
  CHECK(elapsed_ms(slow.start, slow.stop) > 3 * elapsed_ms(fast.start, fast.stop));
  CHECK(device.findings().empty());
}

TEST_CASE("copies of one stream overlap the kernels of another") {
  Device device;
  const std::size_t bytes = std::size_t{4} << 20;
  char *a = nullptr, *b = nullptr, *host_a = nullptr, *host_b = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMallocHost(&host_a, bytes);
  cudaMallocHost(&host_b, bytes);
  cudaStream_t one = nullptr, two = nullptr;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  const auto timed = [&](cudaStream_t second) {
    Pair pair;
    cudaEventRecord(pair.start);
    cudaMemcpyAsync(a, host_a, bytes, cudaMemcpyHostToDevice, one);
    cudaMemcpyAsync(host_b, b, bytes, cudaMemcpyDeviceToHost, second);
    cudaEventRecord(pair.stop);
    cudaEventSynchronize(pair.stop);
    return elapsed_ms(pair.start, pair.stop);
  };
  CHECK(timed(two) < 0.6f * timed(one));
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}

TEST_CASE("a stream waits for an event of another") {
  Device device;
  const std::size_t bytes = std::size_t{4} << 20;
  char *data = nullptr, *host = nullptr;
  cudaMalloc(&data, bytes);
  cudaMallocHost(&host, bytes);
  cudaStream_t one = nullptr, two = nullptr;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  Pair pair;
  cudaEvent_t copied = nullptr;
  cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
  cudaEventRecord(pair.start, two);
  cudaMemcpyAsync(data, host, bytes, cudaMemcpyHostToDevice, one);
  cudaEventRecord(copied, one);
  cudaStreamWaitEvent(two, copied);
  cudaEventRecord(pair.stop, two);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, pair.start, pair.stop) == cudaErrorNotReady);
  cudaEventSynchronize(pair.stop);
  CHECK(elapsed_ms(pair.start, pair.stop) > 0.05f);
  CHECK(cudaEventElapsedTime(&ms, pair.start, copied) == cudaErrorInvalidResourceHandle);
  cudaEventDestroy(copied);
  CHECK(cudaEventDestroy(copied) == cudaErrorInvalidResourceHandle);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}

TEST_CASE("handles are checked, and host functions run in order") {
  Device device;
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100);
  int priority = 0;
  unsigned int flags = 0;
  cudaStreamGetPriority(stream, &priority);
  cudaStreamGetFlags(stream, &flags);
  CHECK(priority == -5);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  int* data = device_ints(1);
  int seen = 0;
  cudaMemsetAsync(data, 0, sizeof(int), stream);
  cudaLaunchHostFunc(
      stream, [](void* p) { *static_cast<int*>(p) = 1; }, &seen);
  cudaStreamAddCallback(
      stream,
      [](cudaStream_t, cudaError_t status, void* p) { *static_cast<int*>(p) += status == cudaSuccess; },
      &seen, 0);
  CHECK(seen == 2);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemsetAsync(data, 0, sizeof(int), stream) == cudaErrorInvalidResourceHandle);
  fill_on(blocks_for(1, stream), data, 1, 1);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}
