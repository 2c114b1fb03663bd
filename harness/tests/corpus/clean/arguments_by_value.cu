// A kernel's parameter with a destructor: the host copies it once and destroys that copy; threads do neither.
// A host function may have the kernel's name.
#include <cstdio>

static int copied = 0, destroyed = 0;
struct Guard {
  int* p = nullptr;
  Guard() = default;
  Guard(const Guard& other) : p(other.p) { ++copied; }
  ~Guard() { ++destroyed; }
};

__global__ void fill(Guard guard, int n) {
  guard.p += threadIdx.x;  // its own
  if (static_cast<int>(threadIdx.x) < n) *guard.p = threadIdx.x;
}

int fill() {
  int h[64];
  Guard guard;
  cudaMalloc(&guard.p, sizeof h);
  fill<<<1, 64>>>(guard, 64);
  cudaMemcpy(h, guard.p, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(guard.p);
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += h[i] != i;
  return wrong;
}

int main() {
  const int wrong = fill();
  std::printf("%d wrong, copied %d times, destroyed %d times\n", wrong, copied, destroyed);
  return wrong != 0 || copied != 1 || destroyed != 2;
}
