// Edges of a colour image: uchar4 pixels to grey, Sobel over a shared tile with clamped borders, a histogram
// of the result to find the threshold.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int TX = 16, TY = 8;

__device__ __forceinline__ int clamp_to(int v, int low, int high) { return max(low, min(v, high)); }

__global__ void to_grey(unsigned char* grey, const uchar4* rgba, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uchar4 p = rgba[i];
  grey[i] = static_cast<unsigned char>(0.299f * p.x + 0.587f * p.y + 0.114f * p.z + 0.5f);
}

__global__ void sobel(unsigned char* edges, unsigned int* histogram, const unsigned char* grey, int w,
                      int h) {
  __shared__ unsigned char tile[TY + 2][TX + 2];
  __shared__ unsigned int bins[16];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * TX + tx;
  if (t < 16) bins[t] = 0;
  for (int i = t; i < (TX + 2) * (TY + 2); i += TX * TY) {
    const int x = clamp_to(blockIdx.x * TX + i % (TX + 2) - 1, 0, w - 1);
    const int y = clamp_to(blockIdx.y * TY + i / (TX + 2) - 1, 0, h - 1);
    tile[i / (TX + 2)][i % (TX + 2)] = grey[y * w + x];
  }
  __syncthreads();
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  if (x < w && y < h) {
    const int gx = tile[ty][tx + 2] + 2 * tile[ty + 1][tx + 2] + tile[ty + 2][tx + 2] - tile[ty][tx] -
                   2 * tile[ty + 1][tx] - tile[ty + 2][tx];
    const int gy = tile[ty + 2][tx] + 2 * tile[ty + 2][tx + 1] + tile[ty + 2][tx + 2] - tile[ty][tx] -
                   2 * tile[ty][tx + 1] - tile[ty][tx + 2];
    const int edge = min(255, abs(gx) + abs(gy));
    edges[y * w + x] = static_cast<unsigned char>(edge);
    atomicAdd(&bins[edge / 16], 1u);
  }
  __syncthreads();
  if (t < 16) atomicAdd(&histogram[t], bins[t]);
}

int main() {
  const int w = 75, h = 50;
  std::vector<uchar4> rgba(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const bool inside = (x - 37) * (x - 37) + (y - 25) * (y - 25) < 15 * 15;
      rgba[y * w + x] = inside ? make_uchar4(250, 220, 40, 255) : make_uchar4(20, 30, 60, 255);
    }
  uchar4* d_rgba;
  unsigned char *d_grey, *d_edges;
  unsigned int* d_histogram;
  cudaMalloc(&d_rgba, w * h * sizeof(uchar4));
  cudaMalloc(&d_grey, w * h);
  cudaMalloc(&d_edges, w * h);
  cudaMalloc(&d_histogram, 16 * sizeof(unsigned int));
  cudaMemcpy(d_rgba, rgba.data(), w * h * sizeof(uchar4), cudaMemcpyHostToDevice);
  cudaMemset(d_histogram, 0, 16 * sizeof(unsigned int));
  to_grey<<<(w * h + 127) / 128, 128>>>(d_grey, d_rgba, w * h);
  sobel<<<dim3((w + TX - 1) / TX, (h + TY - 1) / TY), dim3(TX, TY)>>>(d_edges, d_histogram, d_grey, w, h);
  std::vector<unsigned char> grey(w * h), edges(w * h);
  unsigned int histogram[16];
  cudaMemcpy(grey.data(), d_grey, w * h, cudaMemcpyDeviceToHost);
  cudaMemcpy(edges.data(), d_edges, w * h, cudaMemcpyDeviceToHost);
  cudaMemcpy(histogram, d_histogram, sizeof histogram, cudaMemcpyDeviceToHost);

  unsigned int expected_histogram[16] = {}, wrong = 0;
  const auto at = [&](int x, int y) {
    return static_cast<int>(grey[std::clamp(y, 0, h - 1) * w + std::clamp(x, 0, w - 1)]);
  };
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int gx = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) -
                     2 * at(x - 1, y) - at(x - 1, y + 1);
      const int gy = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) -
                     2 * at(x, y - 1) - at(x + 1, y - 1);
      const int edge = std::min(255, std::abs(gx) + std::abs(gy));
      wrong += edge != edges[y * w + x];
      ++expected_histogram[edge / 16];
    }
  for (int b = 0; b < 16; ++b) wrong += histogram[b] != expected_histogram[b];
  std::printf("%u wrong, %u pixels of full strength\n", wrong, histogram[15]);
  cudaFree(d_rgba), cudaFree(d_grey), cudaFree(d_edges), cudaFree(d_histogram);
  return wrong != 0 || histogram[15] == 0;
}
