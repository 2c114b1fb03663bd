// Wrong: a struct is read in place from records without padding.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

struct __attribute__((packed)) Packed {
  unsigned char kind;
  float x, y, z;
};
struct Point {
  float x, y, z;
};

__global__ void norms(const unsigned char* records, int stride, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char* record = records + i * stride;
  const Point* at = reinterpret_cast<const Point*>(record + 1);
  out[i] = fabsf(at->x) + fabsf(at->y);  // expect: misaligned; says: copied out
}

int main() {
  const int n = 200;
  std::vector<Packed> file(n);
  for (int i = 0; i < n; ++i) file[i] = {1, 3.0f * i, 4.0f * i, 0};
  unsigned char* d;
  float *out, got;
  cudaMalloc(&d, n * sizeof(Packed));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(d, file.data(), n * sizeof(Packed), cudaMemcpyHostToDevice);
  norms<<<2, 128>>>(d, sizeof(Packed), out, n);
  cudaMemcpy(&got, out + n - 1, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g\n", got);
  cudaFree(d);
  cudaFree(out);
}
