// Wrong: what the callback is given is deleted when the callback was given to the stream, not when it has
// run.
#include <cuda_runtime.h>
#include <cstdio>

struct Task {
  int number;
};

static void CUDART_CB say(cudaStream_t, cudaError_t, void* user) {
  std::printf("task %d\n", static_cast<Task*>(user)->number);  // expect-other: stream_race
}

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  Task* const task = new Task{7};
  cudaStreamAddCallback(s, say, task, 0);
  delete task;  // expect: stream_race
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
}
