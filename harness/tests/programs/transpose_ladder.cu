// A matrix transposed three ways: straight, through a tile, through a padded tile. Only the last has neither
// a strided access nor bank conflicts, and the simulator says so of the other two.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <vector>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void transposeNaive(float* odata, const float* idata) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[x * width + (y + j)] = idata[(y + j) * width + x];  // expect-advice: uncoalesced
}

__global__ void transposeCoalesced(float* odata, const float* idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM];
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];  // expect-advice: bank_conflict
}

__global__ void transposeNoBankConflicts(float* odata, const float* idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char** argv) {
  const int nx = 512, ny = 512;
  const size_t mem_size = nx * ny * sizeof(float);
  dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1);
  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  std::vector<float> h_idata(nx * ny), h_tdata(nx * ny);
  for (int i = 0; i < nx * ny; i++) h_idata[i] = i;
  float *d_idata, *d_tdata;
  cudaMalloc(&d_idata, mem_size);
  cudaMalloc(&d_tdata, mem_size);
  cudaMemcpy(d_idata, h_idata.data(), mem_size, cudaMemcpyHostToDevice);

  int failures = 0;
  auto run = [&](const char* name, std::function<void()> launch) {
    cudaMemset(d_tdata, 0, mem_size);
    launch();
    cudaMemcpy(h_tdata.data(), d_tdata, mem_size, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) bad += h_tdata[i * ny + j] != h_idata[j * nx + i];
    printf("%20s %s\n", name, bad ? "*** FAILED ***" : "ok");
    failures += bad != 0;
  };
  run("naive", [&] { transposeNaive<<<dimGrid, dimBlock>>>(d_tdata, d_idata); });
  run("tile", [&] { transposeCoalesced<<<dimGrid, dimBlock>>>(d_tdata, d_idata); });
  run("padded tile", [&] { transposeNoBankConflicts<<<dimGrid, dimBlock>>>(d_tdata, d_idata); });
  cudaFree(d_idata);
  cudaFree(d_tdata);
  return failures;
}
