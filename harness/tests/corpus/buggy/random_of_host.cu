// Wrong: a generator of the host is to fill memory of the device.
#include <cuda_runtime.h>
#include <curand.h>

int main() {
  float* d;
  cudaMalloc(&d, 64 * sizeof(float));
  curandGenerator_t generator;
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(generator, 7);
  curandGenerateUniform(generator, d, 64);  // expect: host_deref
  curandDestroyGenerator(generator);
  cudaFree(d);
}
