// Wrong: nobody waits for the kernel, so that what it prints is lost.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void hello() {
  if (threadIdx.x < 2) printf("hello from %d\n", threadIdx.x);  // expect: bad_api_call
}

int main() {
  hello<<<1, 32>>>();
  return 0;
}
