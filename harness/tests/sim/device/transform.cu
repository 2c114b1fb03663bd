// cub::DeviceTransform and thrust::transform: one, two and three inputs, in place, on any number of elements,
// and on the host.
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect;
using device_test::expect_values;
using device_test::generate;

namespace {

struct Twice {
  __host__ __device__ int operator()(int a) const { return 2 * a; }
};
struct Minus {
  int more;
  __host__ __device__ int operator()(int a, int b) const { return a - b + more; }
};
struct Mixed {
  __host__ __device__ float operator()(int a, float b, int c) const {
    return static_cast<float>(a) * b + static_cast<float>(c);
  }
};

std::vector<int> numbers(int n, int factor) {
  return generate<int>(static_cast<std::size_t>(n),
                       [&](std::size_t i) { return static_cast<int>(i) * factor % 1009 - 300; });
}

/// What `of` makes of the numbers from 0 to n - 1.
template <class Function>
auto all(int n, Function of) {
  return generate<decltype(of(std::size_t{}))>(static_cast<std::size_t>(n), of);
}

}  // namespace

DEVICE_TEST("DeviceTransform of one, two and three inputs") {
  for (const int n : {1, 255, 2048, 2049, 5000}) {
    const std::string name = std::to_string(n) + " items";
    const std::vector<int> a = numbers(n, 7919), b = numbers(n, 37);
    const std::vector<float> c(static_cast<std::size_t>(n), 0.5f);
    const Buffer<int> da(a), db(b), out(static_cast<std::size_t>(n));
    const Buffer<float> dc(c), mixed(static_cast<std::size_t>(n));
    expect(cub::DeviceTransform::Transform(da.data(), out.data(), n, Twice()) == cudaSuccess, name);
    expect_values(out.values(), all(n, [&](std::size_t i) { return 2 * a[i]; }), name + ", one");
    cub::DeviceTransform::Transform(cuda::std::make_tuple(da.data(), db.data()), out.data(), n, Minus{3});
    expect_values(out.values(), all(n, [&](std::size_t i) { return a[i] - b[i] + 3; }), name + ", two");
    cub::DeviceTransform::Transform(cuda::std::make_tuple(da.data(), dc.data(), db.data()), mixed.data(), n,
                                    Mixed());
    expect_values(mixed.values(), all(n, [&](std::size_t i) { return Mixed()(a[i], c[i], b[i]); }),
                  name + ", three");
  }
}

DEVICE_TEST("DeviceTransform of nothing launches nothing") {
  const Buffer<int> one(std::vector<int>{7});
  expect(cub::DeviceTransform::Transform(one.data(), one.data(), 0, Twice()) == cudaSuccess, "an error");
  expect_values(one.values(), std::vector<int>{7}, "written");
}

DEVICE_TEST("thrust::transform on a stream, in place, and on the host") {
  const int n = 3001;
  const std::vector<int> a = numbers(n, 7919), b = numbers(n, 37);
  const Buffer<int> da(a), db(b);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  const auto policy = thrust::cuda::par_nosync.on(stream);
  int* const end = thrust::transform(policy, da.data(), da.data() + n, db.data(), da.data(), Minus{-2});
  expect(end == da.data() + n, "the end of the output is returned");
  thrust::transform(thrust::cuda::par.on(stream), da.data(), da.data() + n, da.data(), Twice());
  expect_values(da.values(), all(n, [&](std::size_t i) { return 2 * (a[i] - b[i] - 2); }), "on a stream");
  thrust::transform(thrust::device, db.data(), db.data() + n, db.data(), Twice());
  expect_values(db.values(), all(n, [&](std::size_t i) { return 2 * b[i]; }), "on the default stream");
  cudaStreamDestroy(stream);

  std::vector<int> out(a.size());
  thrust::transform(thrust::host, a.begin(), a.end(), out.begin(), Twice());
  expect_values(out, all(n, [&](std::size_t i) { return 2 * a[i]; }), "on the host");
  thrust::transform(a.begin(), a.end(), b.begin(), out.begin(), Minus{1});
  expect_values(out, all(n, [&](std::size_t i) { return a[i] - b[i] + 1; }), "without a policy");
}
