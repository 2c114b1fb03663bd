// Streams, events, graphs, pinned and managed memory, a stream's own allocations and functions of the host,
// each used while others are under way, and each waited for by whoever needs it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

__global__ void add_bytes(char* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = static_cast<char>(x[i] + 1);
}

__global__ void count(int* total) { atomicAdd(total, 1); }

static void CUDART_CB twice(void* user) { *static_cast<int*>(user) *= 2; }

static int wrong = 0;
static void expect(int got, int want) { wrong += got != want; }

// Two buffers, each filled again when an event says that it has been copied.
static void double_buffer(cudaStream_t s) {
  const int n = 100, parts = 6;
  int *buffer[2], *d_x, last = 0;
  cudaEvent_t copied[2];
  cudaMalloc(&d_x, n * parts * sizeof(int));
  for (int b = 0; b < 2; ++b) cudaMallocHost(&buffer[b], n * sizeof(int)), cudaEventCreate(&copied[b]);
  for (int p = 0; p < parts; ++p) {
    cudaEventSynchronize(copied[p % 2]);
    for (int i = 0; i < n; ++i) buffer[p % 2][i] = p;
    cudaMemcpyAsync(d_x + p * n, buffer[p % 2], n * sizeof(int), cudaMemcpyHostToDevice, s);
    cudaEventRecord(copied[p % 2], s);
  }
  cudaStreamSynchronize(s);
  cudaMemcpy(&last, d_x + n * parts - 1, sizeof last, cudaMemcpyDeviceToHost);
  expect(last, parts - 1);
  for (int b = 0; b < 2; ++b) cudaFreeHost(buffer[b]), cudaEventDestroy(copied[b]);
  cudaFree(d_x);
}

// Parts that begin in the middle of a word, and a counter that all streams update.
static void parts_of_bytes(cudaStream_t* s) {
  const int part = 33;
  char *x, *d_x;
  int *total, got = 0;
  cudaMallocHost(&x, 2 * part);
  cudaMalloc(&d_x, 2 * part);
  cudaMalloc(&total, sizeof(int));
  cudaMemsetAsync(total, 0, sizeof(int), s[0]);
  cudaStreamSynchronize(s[0]);
  for (int i = 0; i < 2 * part; ++i) x[i] = 1;
  for (int i = 0; i < 2; ++i) {
    cudaMemcpyAsync(d_x + i * part, x + i * part, part, cudaMemcpyHostToDevice, s[i]);
    add_bytes<<<1, 64, 0, s[i]>>>(d_x + i * part, part);
    cudaMemcpyAsync(x + i * part, d_x + i * part, part, cudaMemcpyDeviceToHost, s[i]);
    count<<<2, 32, 0, s[i]>>>(total);
  }
  for (int i = 0; i < 2; ++i) {
    while (cudaStreamQuery(s[i]) != cudaSuccess) {
    }
    for (int k = 0; k < part; ++k) expect(x[i * part + k], 2);
  }
  cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
  expect(got, 128);
  cudaFreeHost(x), cudaFree(d_x), cudaFree(total);
}

// A fork and a join, launched at once and as a graph that is captured.
static void fork_and_join(cudaStream_t a, cudaStream_t b, int* x, int n) {
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  add<<<1, 128, 0, a>>>(x, n, 1);
  cudaEventRecord(fork, a);
  cudaStreamWaitEvent(b, fork, 0);
  add<<<1, 64, 0, a>>>(x, n / 2, 1);
  add<<<1, 64, 0, b>>>(x + n / 2, n / 2, 1);
  cudaEventRecord(join, b);
  cudaStreamWaitEvent(a, join, 0);
  add<<<1, 128, 0, a>>>(x, n, 1);
  cudaEventDestroy(fork), cudaEventDestroy(join);
}

int main() {
  const int n = 128;
  cudaStream_t s[2], other;
  for (int i = 0; i < 2; ++i) cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
  cudaStreamCreate(&other);
  double_buffer(s[0]);
  parts_of_bytes(s);

  int *x, *y, *room;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&y, n * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = 0;
  fork_and_join(s[0], s[1], x, n);
  for (int i = 0; i < n; ++i) y[i] = i;  // no kernel uses it
  cudaStreamSynchronize(s[0]);
  expect(x[n - 1], 3);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
  fork_and_join(s[0], s[1], x, n);
  cudaStreamEndCapture(s[0], &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int launch = 0; launch < 3; ++launch) cudaGraphLaunch(exec, s[launch % 2]);
  cudaDeviceSynchronize();
  expect(x[0], 12);

  // The default stream waits for the others that block, and they for it.
  add<<<1, 128>>>(x, n, 1);
  add<<<1, 128, 0, other>>>(x, n, 1);
  add<<<1, 128>>>(x, n, 1);
  cudaLaunchHostFunc(other, twice, x);
  add<<<1, 128, 0, other>>>(x, n, 1);
  cudaStreamSynchronize(other);
  expect(x[0], 31);

  cudaEvent_t made, used;
  cudaEventCreate(&made), cudaEventCreate(&used);
  cudaMallocAsync(&room, n * sizeof(int), s[0]);
  cudaMemsetAsync(room, 0, n * sizeof(int), s[0]);
  cudaEventRecord(made, s[0]);
  cudaStreamWaitEvent(s[1], made, 0);
  add<<<1, 128, 0, s[1]>>>(room, n, 5);
  cudaEventRecord(used, s[1]);
  cudaStreamWaitEvent(s[0], used, 0);
  cudaMemcpyAsync(y, room, n * sizeof(int), cudaMemcpyDefault, s[0]);
  cudaFreeAsync(room, s[0]);
  cudaStreamSynchronize(s[0]);
  expect(y[n - 1], 5);
  cudaEventDestroy(made), cudaEventDestroy(used);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
  for (int i = 0; i < 2; ++i) cudaStreamDestroy(s[i]);
  cudaStreamDestroy(other);
  cudaFree(x), cudaFree(y);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
