// Conway's game on a torus with a halo in shared memory; a glider must come back to where it was, one step
// on.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

enum { SIZE = 40, TILE = 16 };

__global__ void generation(const bool* now, bool* next) {
  __shared__ unsigned char cells[TILE + 2][TILE + 2];
  const int x0 = blockIdx.x * TILE - 1, y0 = blockIdx.y * TILE - 1;
  for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
    const int x = (x0 + i % (TILE + 2) + SIZE) % SIZE, y = (y0 + i / (TILE + 2) + SIZE) % SIZE;
    cells[i / (TILE + 2)][i % (TILE + 2)] = now[y * SIZE + x];
  }
  __syncthreads();
  const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  if (x >= SIZE || y >= SIZE) return;
  int neighbours = 0;
  for (int dy = 0; dy <= 2; ++dy)
    for (int dx = 0; dx <= 2; ++dx)
      if (dx != 1 || dy != 1) neighbours += cells[threadIdx.y + dy][threadIdx.x + dx];
  const bool alive = cells[threadIdx.y + 1][threadIdx.x + 1] != 0;
  next[y * SIZE + x] = neighbours == 3 || (alive && neighbours == 2);
}

int main() {
  std::string board(SIZE * SIZE, '\0');
  for (auto [x, y] : std::vector<std::pair<int, int>>{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}})
    board[y * SIZE + x] = 1;
  bool *d_now, *d_next;
  cudaMalloc(&d_now, SIZE * SIZE);
  cudaMalloc(&d_next, SIZE * SIZE);
  cudaMemcpy(d_now, board.data(), SIZE * SIZE, cudaMemcpyHostToDevice);
  const dim3 block(TILE, TILE), grid((SIZE + TILE - 1) / TILE, (SIZE + TILE - 1) / TILE);
  const int cycles = 8;  // after four generations a glider is one cell further down and right
  for (int g = 0; g < 4 * cycles; ++g) {
    generation<<<grid, block>>>(d_now, d_next);
    std::swap(d_now, d_next);
  }
  std::string result(SIZE * SIZE, '\0');
  cudaMemcpy(result.data(), d_now, SIZE * SIZE, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < SIZE; ++y)
    for (int x = 0; x < SIZE; ++x) {
      const int from = (y - cycles + SIZE) % SIZE * SIZE + (x - cycles + SIZE) % SIZE;
      wrong += result[y * SIZE + x] != board[from];
    }
  for (int y = cycles; y < cycles + 3; ++y) {
    for (int x = cycles; x < cycles + 3; ++x) std::putchar(result[y * SIZE + x] ? '#' : '.');
    std::putchar('\n');
  }
  cudaFree(d_now);
  cudaFree(d_next);
  return wrong != 0;
}
