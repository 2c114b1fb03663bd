// A linear model trained on the device: forward, loss by atomics, backward, AdamW; the loss must fall.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

__global__ void forward_loss(float* residual, float* loss, const float* x, const float* w, const float* y,
                             int rows, int features) {
  const int r = blockIdx.x, lane = threadIdx.x;
  float dot = 0.0f;
  for (int f = lane; f < features; f += 32) dot += x[r * features + f] * w[f];
  for (int offset = 16; offset > 0; offset /= 2) dot += __shfl_down_sync(0xffffffff, dot, offset);
  if (lane == 0) {
    residual[r] = dot - y[r];
    atomicAdd(loss, residual[r] * residual[r] / rows);
  }
}

__global__ void backward(float* gradient, const float* residual, const float* x, int rows, int features) {
  const int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= features) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) sum += residual[r] * x[r * features + f];
  gradient[f] = 2.0f * sum / rows;
}

__device__ __forceinline__ float blend(float start, float end, float weight) {
  return fma(weight, end, fma(-weight, start, start));
}

__global__ void adamw(float* w, const float* g, float* m, float* v, int n, float rate, float beta1,
                      float beta2, float correction1, float correction2, float eps, float decay) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float grad = g[i], mi = blend(grad, m[i], beta1), vi = blend(grad * grad, v[i], beta2);
  m[i] = mi;
  v[i] = vi;
  w[i] -= rate * (mi / correction1 / (sqrtf(vi / correction2) + eps) + decay * w[i]);
}

int main() {
  const int rows = 64, features = 50, steps = 40;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> x(rows * features), truth(features), y(rows, 0.0f);
  for (float& v : x) v = normal(random);
  for (float& v : truth) v = normal(random);
  for (int r = 0; r < rows; ++r)
    for (int f = 0; f < features; ++f) y[r] += x[r * features + f] * truth[f];
  float *d_x, *d_y, *d_w, *d_g, *d_m, *d_v, *d_residual, *d_loss;
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMalloc(&d_y, rows * sizeof(float));
  cudaMalloc(&d_residual, rows * sizeof(float));
  cudaMalloc(&d_loss, sizeof(float));
  for (float** p : {&d_w, &d_g, &d_m, &d_v}) {
    cudaMalloc(p, features * sizeof(float));
    cudaMemset(*p, 0, features * sizeof(float));
  }
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
  float first = 0.0f, last = 0.0f;
  for (int step = 1; step <= steps; ++step) {
    cudaMemset(d_loss, 0, sizeof(float));
    forward_loss<<<rows, 32>>>(d_residual, d_loss, d_x, d_w, d_y, rows, features);
    backward<<<CEIL_DIV(features, 32), 32>>>(d_g, d_residual, d_x, rows, features);
    adamw<<<CEIL_DIV(features, 32), 32>>>(d_w, d_g, d_m, d_v, features, 0.1f, 0.9f, 0.999f,
                                          1.0f - powf(0.9f, step), 1.0f - powf(0.999f, step), 1e-8f, 1e-3f);
    cudaMemcpy(&last, d_loss, sizeof(float), cudaMemcpyDeviceToHost);
    if (step == 1) first = last;
  }
  std::printf("loss %.3f at first, %.3f after %d steps\n", first, last, steps);
  for (float* p : {d_x, d_y, d_w, d_g, d_m, d_v, d_residual, d_loss}) cudaFree(p);
  return last < 0.1f * first && std::isfinite(last) ? 0 : 1;
}
