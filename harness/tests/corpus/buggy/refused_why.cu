// Wrong: calls that are refused, and nobody looks; each is told of with its reason.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>

#include <cstdio>

__global__ void work(float* x) { x[threadIdx.x] = 1; }

int main() {
  float *x, ms = 0;
  cudaMalloc(&x, 4096);
  cudaEvent_t never, timeless, begin;
  cudaEventCreate(&never);
  cudaEventCreate(&begin);
  cudaEventCreateWithFlags(&timeless, cudaEventDisableTiming);
  cudaEventRecord(begin);
  work<<<1, 256>>>(x);
  cudaEventRecord(timeless);
  cudaEventSynchronize(timeless);
  cudaEventElapsedTime(&ms, begin, never);  // expect: bad_api_call; says: end it was never recorded
  cudaEventElapsedTime(
      &ms, timeless, begin);  // expect: bad_api_call; says: begin it was created with cudaEventDisableTiming

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, 16);
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(
      &texture, &what, &how,
      nullptr);  // expect: bad_api_call; says: cudaFilterModeLinear needs numbers with a fraction
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &what);  // expect: bad_api_call; says: cudaArraySurfaceLoadStore

  cublasHandle_t blas;
  cublasCreate(&blas);
  const float one = 1, zero = 0;
  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 8, &one, x, 8, x, 3, &zero, x + 512,
              3);  // expect: bad_api_call; says: The leading dimension of B is 3

  cufftHandle plan;
  cufftPlan1d(&plan, 64, CUFFT_R2C, 1);
  auto* z = reinterpret_cast<cufftComplex*>(x);
  cufftExecC2C(plan, z, z, CUFFT_FORWARD);  // expect: bad_api_call; says: The plan was made for CUFFT_R2C
  std::printf("%g\n", ms);
  cufftDestroy(plan);
  cublasDestroy(blas);
  cudaFreeArray(array);
  cudaEventDestroy(never);
  cudaEventDestroy(begin);
  cudaEventDestroy(timeless);
  cudaFree(x);
}
