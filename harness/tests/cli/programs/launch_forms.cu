// Every way to name a kernel in a launch. Exits with 0 when each launch ran the kernel that CUDA would run.
#include <cstdio>
#include <type_traits>

#include "launch_forms/templates.cuh"

__global__ void plain(int* out, float value) { *out = static_cast<int>(value); }

__global__ void overloaded(int* out) { *out = 1; }
__global__ void overloaded(float* out) { *out = 2.0f; }

template <class T, int kAdd = 10>
__global__ void with_default(T* out, T value) {
  *out = static_cast<T>(value + kAdd);
}

template <class T, class U = int>
__global__ void deduces_default(T* out, U) {
  *out = static_cast<T>(sizeof(U));
}

template <class... Values>
__global__ void variadic(int* out, Values... values) {
  *out = static_cast<int>((values + ...));
}

template <class F>
__global__ void apply(int* out, F function) {
  *out = function(threadIdx.x);
}

namespace outer::inner {
template <int kValue, class T>
__global__ void partial(T* out) {
  *out = kValue;
}
}  // namespace outer::inner

struct Kernels {
  void (*member)(int*, float) = plain;
  static constexpr int kBlock = 1;
  void run(int* out) const { member<<<1, kBlock>>>(out, 21.0f); }
};

#define LAUNCH(kernel, threads, ...)                       \
  do {                                                     \
    const int blocks = 1;                                  \
    kernel<<<blocks, /* one */ threads, 0>>>(__VA_ARGS__); \
  } while (0)
#define SCALED(name) name##_kernel<<<1, 1>>>

__global__ void pasted_kernel(int* out) { *out = 33; }

int failures = 0;

template <class T>
void expect(const char* what, T* device, T wanted) {
  T got{};
  cudaMemcpy(&got, device, sizeof(T), cudaMemcpyDeviceToHost);
  if (got == wanted) return;
  std::printf("%s: %g instead of %g\n", what, static_cast<double>(got), static_cast<double>(wanted));
  ++failures;
}

template <class T>
void from_template(T* out) {
  with_default<T, 5><<<1, 1>>>(out, T{1});
  expect("a dependent template-id", out, T{6});
}

int main() {
  int* out = nullptr;
  float* out_float = nullptr;
  cudaMalloc(&out, sizeof(int));
  cudaMalloc(&out_float, sizeof(float));

  plain<<<1, 1>>>(out, 7);
  expect("a function, arguments converted", out, 7);
  plain<<<dim3(1, 1), 1>>>(out, 8.5f);
  expect("over several lines", out, 8);
  overloaded<<<1, 1>>>(out);
  expect("an overload", out, 1);
  overloaded<<<1, 1>>>(out_float);
  expect("another overload", out_float, 2.0f);
  with_default<<<1, 1>>>(out, 2);
  expect("all deduced", out, 12);
  with_default<int><<<1, 1>>>(out, 3);
  expect("a default used", out, 13);
  with_default<int, 20><<<1, 1>>>(out, 3);
  expect("all given", out, 23);
  deduces_default<int><<<1, 1>>>(out, 2.0);
  expect("deduced although it has a default", out, 8);
  variadic<<<1, 1>>>(out, 1, 2.0f, 3u);
  expect("a pack", out, 6);
  outer::inner::partial<3><<<1, 1>>>(out);
  expect("given and deduced", out, 3);
  ::outer::inner::partial<(1 > 2 ? 3 : 4)>  // a comparison
      <<<1, 1>>>(out);
  expect("given by an expression", out, 4);
  elsewhere::from_header<<<1, 1>>>(out);
  expect("a template of another file", out, 77);
  from_template(out_float);

  const int offset = 40;
  apply<<<1, 1>>>(out, [=] __device__(int i) { return offset + i; });
  expect("a lambda as argument", out, 40);
  void (*pointer)(int*, float) = plain;
  pointer<<<1, 1>>>(out, 9.0f);
  expect("a pointer", out, 9);
  void (*pointers[])(int*) = {outer::inner::partial<1, int>, outer::inner::partial<2, int>};
  for (int i = 0; i < 2; ++i) {
    pointers[i]<<<1, 1>>>(out);
    expect("a pointer in an array", out, i + 1);
  }
  (failures == 0 ? pointers[0] : pointers[1])<<<1, 1>>>(out);
  expect("a choice", out, failures == 0 ? 1 : 2);
  Kernels{}.run(out);
  expect("a member", out, 21);
  Kernels kernels;
  kernels.member<<<1, Kernels::kBlock>>>(out, 22.0f);
  expect("a member of an object", out, 22);
  LAUNCH(plain, 1, out, 30.0f);
  expect("in a macro", out, 30);
  LAUNCH((outer::inner::partial<31, int>), 1, out);
  expect("a template-id through a macro", out, 31);
  LAUNCH(outer::inner::partial<32>, 1, out);
  expect("a partial template-id through a macro", out, 32);
  SCALED(pasted)(out);
  expect("a pasted name", out, 33);
  const auto launch = [&](int value) { plain<<<1, 1>>>(out, static_cast<float>(value)); };
  launch(34);
  expect("in a lambda", out, 34);
  cudaFree(out);
  cudaFree(out_float);
  return failures == 0 ? 0 : 1;
}
