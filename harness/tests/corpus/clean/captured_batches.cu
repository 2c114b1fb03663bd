// A graph's matrix products follow the lists of pointers that there are when it is launched.
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main() {
  const int n = 4, count = 2, all = n * n * count;
  float unit[all] = {}, twos[all], got[all], *a, *b, *c, *lu;
  for (int i = 0; i < all; ++i) twos[i] = 2;
  for (int m = 0; m < count; ++m)
    for (int i = 0; i < n; ++i) unit[m * n * n + i * n + i] = 3;
  cudaMalloc(&a, sizeof unit);
  cudaMalloc(&b, sizeof unit);
  cudaMalloc(&c, sizeof unit);
  cudaMalloc(&lu, sizeof unit);
  cudaMemcpy(a, unit, sizeof unit, cudaMemcpyHostToDevice);
  cudaMemcpy(lu, unit, sizeof unit, cudaMemcpyHostToDevice);
  cudaMemcpy(b, twos, sizeof twos, cudaMemcpyHostToDevice);
  float **lists, *host[4 * count];
  int* info;
  cudaMalloc(&lists, sizeof host);
  cudaMalloc(&info, count * sizeof(int));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cublasSetStream(handle, s);
  const float one = 1, zero = 0;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, lists, n, lists + count, n, &zero,
                     lists + 2 * count, n, count);
  cublasSgetrfBatched(handle, n, lists + 3 * count, n, nullptr, info, count);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int m = 0; m < count; ++m) {
    host[m] = a + m * n * n;
    host[count + m] = b + m * n * n;
    host[2 * count + m] = c + (count - 1 - m) * n * n;
    host[3 * count + m] = lu + m * n * n;
  }
  cudaMemcpy(lists, host, sizeof host, cudaMemcpyHostToDevice);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  cudaMemcpy(got, c, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (float v : got) wrong += v != 6;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cublasDestroy(handle);
  cudaStreamDestroy(s);
  for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(lu),
                  static_cast<void*>(lists), static_cast<void*>(info)})
    cudaFree(p);
  return wrong;
}
