// Program 1. Two kernels double the same array: in one the lanes of a warp take neighbours, in the other each
// thread takes a run of 16. The program asks which one is faster, and gets the answer wrong.
//
// Both results are right, and the events stand where they should. Find out what else lies between the events
// of one kernel and not between those of the other, and repair the benchmark. Two questions go with it, about
// the program as it was, to be answered in answers.txt:
//   warm-up kernel   which of the two kernels was run for the first time while it was timed
//   warm-up call     in the list of calls (workbook profile 38 --warm-up --calls): what takes longer there,
//                    the launch on the host or the kernel on the device
#include "given.cuh"

constexpr int kCount = 1 << 18, kThreads = 256;

struct Stopwatch {
  cudaEvent_t begin = nullptr, end = nullptr;
  Stopwatch() {
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  void start() { check(cudaEventRecord(begin), "cudaEventRecord"); }
  // Microseconds on the device's own clock between the two marks.
  double stop() {
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    return ms * 1e3;
  }
};

void run_runs(float* y, const float* x) {
  scale_runs_kernel<<<kCount / kRun / kThreads, kThreads>>>(y, x, kCount);
}
void run_neighbours(float* y, const float* x) { scale_kernel<<<kCount / kThreads, kThreads>>>(y, x, kCount); }

int main() {
  Floats x(kCount), expected(kCount), y(kCount);

  run_runs(expected, x);  // what the other kernel's result is compared with
  check(cudaDeviceSynchronize(), "expected");

  Stopwatch watch;
  watch.start();
  run_runs(y, x);
  const double runs_us = watch.stop();

  watch.start();
  run_neighbours(y, x);
  const double neighbours_us = watch.stop();

  const std::vector<float> right = expected.on_host(), got = y.on_host();
  std::printf("the results are %s\n", right == got ? "the same" : "not the same");
  std::printf("scale_runs_kernel %8.1f us\n", runs_us);
  std::printf("scale_kernel      %8.1f us\n", neighbours_us);
  std::printf("faster: %s\n", runs_us < neighbours_us ? "scale_runs_kernel" : "scale_kernel");
  return 0;
}
