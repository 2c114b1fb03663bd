// Chapter 38: the same work timed in right and wrong ways, side by side, on a GPU. What it printed on an H200
// is book/data/h200/debug/38_measure.txt.
//   nvcc -O3 -std=c++20 -arch=sm_90 measuring_h200.cu -o measuring_h200 && ./measuring_h200
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                    \
  do {                                                                              \
    const cudaError_t e = (x);                                                      \
    if (e != cudaSuccess) {                                                         \
      std::printf("%s:%d %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e)); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (0)

double now_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

constexpr int kTile = 16;
// y[rows, outs] = x[rows, ins] * w[ins, outs]; kGelu: followed by GELU
template <bool kGelu, int kId>
__global__ void linear_kernel(float* y, const float* x, const float* w, int rows, int ins, int outs) {
  __shared__ float xs[kTile][kTile], ws[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, out = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < ins; k0 += kTile) {
    const int kx = k0 + threadIdx.x, kw = k0 + threadIdx.y;
    xs[threadIdx.y][threadIdx.x] = row < rows && kx < ins ? x[row * ins + kx] : 0.0f;
    ws[threadIdx.y][threadIdx.x] = kw < ins && out < outs ? w[kw * outs + out] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += xs[threadIdx.y][k] * ws[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && out < outs)
    y[row * outs + out] =
        kGelu ? 0.5f * sum * (1 + tanhf(0.7978845608f * (sum + 0.044715f * sum * sum * sum))) : sum;
}
__global__ void gelu_kernel(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    y[i] = 0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
}
__global__ void scale_kernel(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
__global__ void never_launched_kernel(float* y) { y[threadIdx.x] = 1.0f; }

float *a, *b, *c, *flush;
constexpr std::size_t kFlush = 256u << 20;
cudaEvent_t e0, e1;

template <int kId = 0>
void matmul(int n) {
  const dim3 block(kTile, kTile), grid((n + kTile - 1) / kTile, (n + kTile - 1) / kTile);
  linear_kernel<false, kId><<<grid, block>>>(c, a, b, n, n, n);
}

double at(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * (v.size() - 1) + 0.5)];
}
double mean(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += x;
  return s / v.size();
}

template <class F>
double event_us(F f) {
  CHECK(cudaEventRecord(e0));
  f();
  CHECK(cudaEventRecord(e1));
  CHECK(cudaEventSynchronize(e1));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, e0, e1));
  return ms * 1e3;
}

// One step of the MLP: layers times linear, gelu; two launches a layer.
void step(int layers, int batch, int width) {
  const dim3 block(kTile, kTile), grid((width + kTile - 1) / kTile, (batch + kTile - 1) / kTile);
  for (int l = 0; l < layers; ++l) {
    linear_kernel<false, 1><<<grid, block>>>(c, a, b, batch, width, width);
    gelu_kernel<<<(batch * width + 255) / 256, 256>>>(a, c, batch * width);
  }
}
double mlp_us(int steps, int layers, int batch, int width, int trials) {
  step(layers, batch, width);
  CHECK(cudaDeviceSynchronize());
  std::vector<double> t;
  for (int i = 0; i < trials; ++i) {
    const double t0 = now_us();
    for (int s = 0; s < steps; ++s) step(layers, batch, width);
    CHECK(cudaDeviceSynchronize());
    t.push_back(now_us() - t0);
  }
  return at(t, 0.5);
}

int main() {
  double t0 = now_us();
  CHECK(cudaFree(nullptr));
  std::printf("context            %10.1f us (first call of the runtime)\n", now_us() - t0);
  t0 = now_us();
  CHECK(cudaMalloc(&a, 256u << 20));
  std::printf("first cudaMalloc   %10.1f us\n", now_us() - t0);
  CHECK(cudaMalloc(&b, 256u << 20));
  CHECK(cudaMalloc(&c, 256u << 20));
  CHECK(cudaMalloc(&flush, kFlush));
  CHECK(cudaMemset(a, 0, 256u << 20));
  CHECK(cudaMemset(b, 0, 256u << 20));
  CHECK(cudaEventCreate(&e0));
  CHECK(cudaEventCreate(&e1));
  CHECK(cudaDeviceSynchronize());

  std::printf("\nFIRST CALLS of a kernel (256 cubed), host with synchronise, us: call 1, 2, 3, 4, 5\n");
  const auto first = [](const char* what, auto f) {
    std::printf("%-28s", what);
    for (int i = 0; i < 5; ++i) {
      CHECK(cudaDeviceSynchronize());
      const double s = now_us();
      f();
      CHECK(cudaDeviceSynchronize());
      std::printf(" %9.1f", now_us() - s);
    }
    std::printf("\n");
  };
  first("first kernel of the program", [] { matmul<7>(256); });
  first("second kernel", [] { matmul<8>(256); });
  first("third kernel", [] { scale_kernel<<<16, 256>>>(c, a, 4096); });

  std::printf("\nHOST CALLS, us a call (median of 1000, queue never full)\n");
  {
    std::vector<double> launch, sync, record, push, full;
    for (int i = 0; i < 1000; ++i) {
      double s = now_us();
      scale_kernel<<<16, 256>>>(c, a, 4096);
      double m = now_us();
      CHECK(cudaDeviceSynchronize());
      double e = now_us();
      launch.push_back(m - s), full.push_back(e - s);
      s = now_us();
      CHECK(cudaDeviceSynchronize());
      sync.push_back(now_us() - s);
      s = now_us();
      CHECK(cudaEventRecord(e0));
      record.push_back(now_us() - s);
      CHECK(cudaDeviceSynchronize());
    }
    std::printf("launch %.2f  launch+sync %.2f  sync with nothing to wait for %.2f  event record %.2f\n",
                at(launch, .5), at(full, .5), at(sync, .5), at(record, .5));
    std::vector<double> ev;
    for (int i = 0; i < 1000; ++i) ev.push_back(event_us([] { scale_kernel<<<16, 256>>>(c, a, 4096); }));
    std::printf("events around one tiny kernel %.2f, around nothing ", at(ev, .5));
    ev.clear();
    for (int i = 0; i < 1000; ++i) ev.push_back(event_us([] {}));
    std::printf("%.2f\n", at(ev, .5));
    const double s = now_us();
    for (int i = 0; i < 10000; ++i) scale_kernel<<<16, 256>>>(c, a, 4096);
    const double m = now_us();
    CHECK(cudaDeviceSynchronize());
    std::printf("10000 launches in a row: host %.2f us a launch, to the end %.2f us a launch\n",
                (m - s) / 1e4, (now_us() - s) / 1e4);
  }

  std::printf("\nMATMUL n cubed, us (medians; fp32, 16x16 tiles)\n%6s %12s %12s %12s %12s %12s %12s\n", "n",
              "no sync", "host+sync", "events", "events cold", "20 a pair", "Gflop/s");
  for (int n : {16, 32, 64, 128, 256, 512, 1024, 2048, 4096}) {
    const int trials = n >= 2048 ? 9 : 51;
    std::vector<double> blind, host, ev, cold, many;
    for (int i = 0; i < 5; ++i) matmul(n);
    for (int i = 0; i < trials; ++i) {
      CHECK(cudaDeviceSynchronize());
      double s = now_us();
      matmul(n);
      blind.push_back(now_us() - s);
      CHECK(cudaDeviceSynchronize());
      s = now_us();
      matmul(n);
      CHECK(cudaDeviceSynchronize());
      host.push_back(now_us() - s);
      ev.push_back(event_us([&] { matmul(n); }));
      CHECK(cudaMemsetAsync(flush, i, kFlush));
      cold.push_back(event_us([&] { matmul(n); }));
      if (i < 9)
        many.push_back(event_us([&] {
                         for (int k = 0; k < 20; ++k) matmul(n);
                       }) /
                       20);
    }
    std::printf("%6d %12.2f %12.2f %12.2f %12.2f %12.2f %12.0f\n", n, at(blind, .5), at(host, .5), at(ev, .5),
                at(cold, .5), at(many, .5), 2.0 * n * n * n / at(many, .5) * 1e-3);
  }

  std::printf("\nTRIALS: 512 cubed, events: warm, then with a 256 MB memset before each (cold)\n");
  for (int cold = 0; cold < 2; ++cold) {
    std::vector<double> t;
    for (int i = 0; i < 201; ++i) {
      if (cold) CHECK(cudaMemsetAsync(flush, i, kFlush));
      t.push_back(event_us([] { matmul<11>(512); }));
    }
    std::printf("%s first %.2f mean %.2f median %.2f p10 %.2f p90 %.2f min %.2f max %.2f\n",
                cold ? "cold" : "warm", t[0], mean(t), at(t, .5), at(t, .1), at(t, .9), at(t, 0), at(t, 1));
  }
  std::printf("SCALE of n floats (8n bytes), us and GB/s: warm, cold\n");
  for (int n : {1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24, 1 << 25}) {
    std::vector<double> w, k;
    for (int i = 0; i < 31; ++i) {
      w.push_back(event_us([&] { scale_kernel<<<n / 256, 256>>>(c, a, n); }));
    }
    for (int i = 0; i < 31; ++i) {
      CHECK(cudaMemsetAsync(flush, i, kFlush));
      k.push_back(event_us([&] { scale_kernel<<<n / 256, 256>>>(c, a, n); }));
    }
    std::printf("%9d  %8.2f %8.0f   %8.2f %8.0f\n", n, at(w, .5), 8e-3 * n / at(w, .5), at(k, .5),
                8e-3 * n / at(k, .5));
  }

  struct Base {
    const char* name;
    int steps, layers, batch, width;
  };
  for (const Base& s :
       {Base{"small", 3, 3, 16, 64}, Base{"middle", 3, 4, 256, 256}, Base{"large", 3, 4, 1024, 1024}}) {
    std::printf(
        "\nMLP %s: steps %d, layers %d, batch %d, width %d; us by factor 1..5 (host+sync, median), then ratio\n",
        s.name, s.steps, s.layers, s.batch, s.width);
    const int trials = s.width >= 1024 ? 5 : 21;
    for (int what = 0; what < 4; ++what) {
      std::vector<double> t;
      for (int f = 1; f <= 5; ++f)
        t.push_back(mlp_us(s.steps * (what == 0 ? f : 1), s.layers * (what == 1 ? f : 1),
                           s.batch * (what == 2 ? f : 1), s.width * (what == 3 ? f : 1), trials));
      const char* names[] = {"steps", "layers", "batch", "width"};
      std::printf("%-7s", names[what]);
      for (double x : t) std::printf(" %10.1f", x);
      for (double x : t) std::printf(" %6.2fx", x / t[0]);
      std::printf("\n");
    }
    // the wrong way: no synchronise
    step(s.layers, s.batch, s.width);
    CHECK(cudaDeviceSynchronize());
    const double w0 = now_us();
    for (int k = 0; k < s.steps; ++k) step(s.layers, s.batch, s.width);
    const double w1 = now_us();
    CHECK(cudaDeviceSynchronize());
    std::printf("without synchronise %.1f, with %.1f\n", w1 - w0, now_us() - w0);
  }
  return 0;
}
