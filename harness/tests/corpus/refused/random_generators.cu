// Generators of cuRAND that are not simulated, each named where it is called.
#include <curand_kernel.h>

__global__ void points(float* out, curandDirectionVectors32_t* vectors) {
  curandStateSobol32_t x;
  curand_init(vectors[0], threadIdx.x, &x);           // refused: Sobol, not simulated
  out[threadIdx.x] = static_cast<float>(curand(&x));  // refused: Sobol, not simulated
}

__global__ void numbers(unsigned int* out, curandStateMtgp32* states) {
  out[threadIdx.x] = curand(&states[blockIdx.x]);  // refused: MTGP32, not simulated
}

int main() {
  unsigned int* constants = nullptr;
  return curandGetScrambleConstants32(&constants);  // refused: Sobol, not simulated
}
