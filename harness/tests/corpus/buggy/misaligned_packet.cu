// Wrong: each record is a type byte and a 4-byte length; a GPU cannot read an int from an odd address.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kRecord = 5;

__global__ void lengths(int* out, const unsigned char* stream, int records) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= records) return;
  out[r] = *reinterpret_cast<const int*>(stream + r * kRecord + 1);  // expect: misaligned
}

int main() {
  const int records = 40;
  std::vector<unsigned char> stream(records * kRecord, 1);
  for (int r = 0; r < records; ++r) std::memcpy(&stream[r * kRecord + 1], &r, sizeof r);
  std::vector<int> out(records);
  unsigned char* d_stream;
  int* d_out;
  cudaMalloc(&d_stream, stream.size());
  cudaMalloc(&d_out, records * sizeof(int));
  cudaMemcpy(d_stream, stream.data(), stream.size(), cudaMemcpyHostToDevice);
  lengths<<<1, 64>>>(d_out, d_stream, records);
  cudaMemcpy(out.data(), d_out, records * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("the last length is %d\n", out.back());
  cudaFree(d_stream);
  cudaFree(d_out);
}
