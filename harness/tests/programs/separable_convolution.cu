// A blur in two passes with its weights in constant memory; each block loads a tile with its apron.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define RADIUS 4
#define TILE_W 64
#define TILE_H 8

__constant__ float c_kernel[2 * RADIUS + 1];

__global__ void convolve_rows(float* dst, const float* src, int width, int height) {
  __shared__ float data[TILE_H][TILE_W + 2 * RADIUS];
  const int x0 = blockIdx.x * TILE_W - RADIUS, y = blockIdx.y * TILE_H + threadIdx.y;
  for (int i = threadIdx.x; i < TILE_W + 2 * RADIUS; i += blockDim.x) {
    const int x = x0 + i;
    data[threadIdx.y][i] = y < height && x >= 0 && x < width ? src[y * width + x] : 0.0f;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < TILE_W; i += blockDim.x) {
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += data[threadIdx.y][i + RADIUS + k] * c_kernel[RADIUS - k];
    const int x = x0 + RADIUS + i;
    if (x < width && y < height) dst[y * width + x] = sum;
  }
}

__global__ void convolve_columns(float* dst, const float* src, int width, int height) {
  __shared__ float data[TILE_W + 2 * RADIUS][TILE_H + 1];
  const int x = blockIdx.x * TILE_H + threadIdx.x, y0 = blockIdx.y * TILE_W - RADIUS;
  for (int i = threadIdx.y; i < TILE_W + 2 * RADIUS; i += blockDim.y) {
    const int y = y0 + i;
    data[i][threadIdx.x] = x < width && y >= 0 && y < height ? src[y * width + x] : 0.0f;
  }
  __syncthreads();
  for (int i = threadIdx.y; i < TILE_W; i += blockDim.y) {
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += data[i + RADIUS + k][threadIdx.x] * c_kernel[RADIUS - k];
    const int y = y0 + RADIUS + i;
    if (x < width && y < height) dst[y * width + x] = sum;
  }
}

int main() {
  const int width = 150, height = 90;
  float kernel[2 * RADIUS + 1], total = 0.0f;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    total += kernel[RADIUS + k] = std::exp(-0.1f * static_cast<float>(k * k)) + 0.01f * k;
  for (float& k : kernel) k /= total;
  std::vector<float> image(width * height), result(width * height), middle(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = static_cast<float>(i * 7919 % 256);
  float *d_image, *d_middle, *d_result;
  cudaMalloc(&d_image, image.size() * sizeof(float));
  cudaMalloc(&d_middle, image.size() * sizeof(float));
  cudaMalloc(&d_result, image.size() * sizeof(float));
  cudaMemcpyToSymbol(c_kernel, kernel, sizeof kernel);
  cudaMemcpy(d_image, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 rows((width + TILE_W - 1) / TILE_W, (height + TILE_H - 1) / TILE_H);
  const dim3 columns((width + TILE_H - 1) / TILE_H, (height + TILE_W - 1) / TILE_W);
  convolve_rows<<<rows, dim3(32, TILE_H)>>>(d_middle, d_image, width, height);
  convolve_columns<<<columns, dim3(TILE_H, 16)>>>(d_result, d_middle, width, height);
  cudaMemcpy(result.data(), d_result, image.size() * sizeof(float), cudaMemcpyDeviceToHost);

  float worst = 0.0f;
  const auto pass = [&](const std::vector<float>& in, int x, int y, int dx, int dy) {
    double sum = 0.0;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
      const int sx = x + k * dx, sy = y + k * dy;
      if (sx >= 0 && sx < width && sy >= 0 && sy < height) sum += in[sy * width + sx] * kernel[RADIUS - k];
    }
    return static_cast<float>(sum);
  };
  for (int i = 0; i < width * height; ++i) middle[i] = pass(image, i % width, i / width, 1, 0);
  for (int i = 0; i < width * height; ++i)
    worst = std::fmax(worst, std::fabs(result[i] - pass(middle, i % width, i / width, 0, 1)));
  std::printf("largest error %g\n", worst);
  cudaFree(d_image), cudaFree(d_middle), cudaFree(d_result);
  return worst < 1e-2f ? 0 : 1;
}
