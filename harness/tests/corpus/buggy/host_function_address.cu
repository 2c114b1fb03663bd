// Wrong: a function of the device, whose address the host takes, for itself and in a table.
using Op = int (*)(int);
__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }

__constant__ Op table[2];

__global__ void apply(Op op, int* x) { x[threadIdx.x] = op(x[threadIdx.x]); }
__global__ void apply_all(int* x) { x[threadIdx.x] = table[1](table[0](x[threadIdx.x])); }

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  Op op = twice;                               // expect: host_deref
  apply<<<1, 32>>>(op, x);                     // expect-other: host_deref
  const Op ops[] = {op, &square};              // expect: host_deref
  cudaMemcpyToSymbol(table, ops, sizeof ops);  // expect-other: host_deref
  apply_all<<<1, 32>>>(x);
  cudaFree(x);
}
