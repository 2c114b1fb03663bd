// Built-in vector types: values, the ways of making one, and that each moves as one access.
#include "device_test.h"

using device_test::Buffer;

namespace {

template <class V>
__global__ void copy_vectors(V* to, const V* from) {
  to[threadIdx.x] = from[threadIdx.x];
}

template <class V>
__global__ void change_vectors(V* to, const V* from) {
  V v = from[threadIdx.x];
  ++v.x;
  v.y += v.x;
  to[threadIdx.x] = v;
}

template <class V>
__global__ void through_shared(V* to, const V* from) {
  __shared__ V tile[32];
  tile[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = tile[31 - threadIdx.x];
}

template <class V, class T>
__global__ void store_made(V* to, T value) {
  to[threadIdx.x] = V{value, value};
}

__global__ void store_float4(float4* to) {
  const float x = static_cast<float>(threadIdx.x);
  to[threadIdx.x] = make_float4(x, 2 * x, 3 * x, 4 * x);
}

__global__ void swap_ends(float4* data) {
  float4 v = data[threadIdx.x];
  auto [x, y, z, w] = v;
  data[threadIdx.x] = {w, y, z, x};
}

union Elements {
  float4 vector;
  float element[4];
};

__global__ void scale_elements(float4* data) {
  Elements u;
  u.vector = data[threadIdx.x];
  for (int i = 0; i < 4; ++i) u.element[i] *= static_cast<float>(i);
  data[threadIdx.x] = u.vector;
}

void expect_traffic(long long requests, long long bytes, const std::string& what) {
  long long seen_requests = 0, seen_bytes = 0;
  if (!device_test::latest_traffic(seen_requests, seen_bytes)) return;
  device_test::expect(seen_requests == requests && seen_bytes == bytes,
                      what + ": " + std::to_string(seen_requests) + " requests and " +
                          std::to_string(seen_bytes) + " bytes, not " + std::to_string(requests) + " and " +
                          std::to_string(bytes));
}

template <class V>
void check(const std::string& name, long long accesses = 1) {
  using T = std::remove_reference_t<decltype(V{}.x)>;
  std::vector<V> start(32);
  for (std::size_t i = 0; i < 32; ++i) {
    start[i].x = static_cast<T>(i);
    start[i].y = static_cast<T>(i + 40);
  }
  const Buffer<V> from(start), to(32);
  const long long bytes = 32 * static_cast<long long>(sizeof(V));
  const auto x_of = [](const std::vector<V>& vectors) {
    std::vector<double> out;
    for (const V& v : vectors) out.push_back(static_cast<double>(v.x));
    return out;
  };
  const auto expected = [](auto value) { return device_test::generate<double>(32, value); };

  copy_vectors<<<1, 32>>>(to.data(), from.data());
  device_test::expect_values(
      x_of(to.values()), expected([](std::size_t i) { return static_cast<double>(i); }), name + " copied");
  expect_traffic(2 * accesses, 2 * bytes, name + " copied");

  change_vectors<<<1, 32>>>(to.data(), from.data());
  device_test::expect_values(x_of(to.values()),
                             expected([](std::size_t i) { return static_cast<double>(i + 1); }),
                             name + " changed");
  expect_traffic(2 * accesses, 2 * bytes, name + " changed");

  through_shared<<<1, 32>>>(to.data(), from.data());
  device_test::expect_values(x_of(to.values()),
                             expected([](std::size_t i) { return static_cast<double>(31 - i); }),
                             name + " through shared memory");
  expect_traffic(4 * accesses, 4 * bytes, name + " through shared memory");

  store_made<<<1, 32>>>(to.data(), static_cast<T>(7));
  device_test::expect_values(x_of(to.values()), std::vector<double>(32, 7.0), name + " stored");
  expect_traffic(accesses, bytes, name + " stored");
}

constexpr int4 kPoint = {1, 2, 3, 4};
static_assert(kPoint.z == 3);

}  // namespace

DEVICE_TEST("a vector of 2 to 16 bytes moves as one access") {
  check<char2>("char2");
  check<uchar4>("uchar4");
  check<short2>("short2");
  check<short4>("short4");
  check<ushort4>("ushort4");
  check<int2>("int2");
  check<uint2>("uint2");
  check<int4>("int4");
  check<uint4>("uint4");
  check<float2>("float2");
  check<float4>("float4");
  check<longlong2>("longlong2");
  check<ulong2>("ulong2");
  check<double2>("double2");
}

DEVICE_TEST("a vector of 32 bytes moves as two accesses, one of three elements as three") {
  check<double4_32a>("double4_32a", 2);
  const Buffer<float3> from(std::vector<float3>(32, float3{1, 2, 3})), to(32);
  copy_vectors<<<1, 32>>>(to.data(), from.data());
  expect_traffic(6, 2 * 32 * 12, "float3");
  device_test::expect(to.values()[31].z == 3.0f, "float3 copied");
}

DEVICE_TEST("vectors are made, taken apart and put in unions") {
  const Buffer<float4> data(32);
  store_float4<<<1, 32>>>(data.data());
  expect_traffic(1, 512, "make_float4");
  swap_ends<<<1, 32>>>(data.data());
  expect_traffic(2, 1024, "structured binding");
  scale_elements<<<1, 32>>>(data.data());
  const std::vector<float4> got = data.values();
  for (std::size_t i = 0; i < 32; ++i) {
    const float x = static_cast<float>(i);
    device_test::expect(got[i].x == 0 && got[i].y == 2 * x && got[i].z == 6 * x && got[i].w == 3 * x,
                        "element " + std::to_string(i));
  }
  const float4 zero = {};
  const float4 partly = {1.0f, 2.0f};
  device_test::expect(zero.w == 0.0f && partly.y == 2.0f && partly.w == 0.0f, "braces");
}
