// Right: a generator of the device fills memory of the device.
#include <cuda_runtime.h>
#include <curand.h>

int main() {
  float* d;
  cudaMalloc(&d, 64 * sizeof(float));
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(generator, 7);
  curandGenerateUniform(generator, d, 64);
  curandDestroyGenerator(generator);
  cudaFree(d);
}
