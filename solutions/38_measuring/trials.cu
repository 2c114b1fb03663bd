// Program 3. One number is to say how long scale_kernel takes. This GPU is shared: in every trial something
// else runs as well, mostly little and once a lot, here played by neighbour(). And in the program that the
// kernel is meant for, other kernels run before it, so that it finds nothing of its input in the L2.
//
// Each trial is measured as it should be: events, and a wait. What is made of the trials is not, nor is what
// lies between them. Repair both: typical() is to return a number that one bad trial does not move, and
// flush() is to be called where it makes each trial find the caches alike. Two questions go with it, about
// the program as it was, to be answered in answers.txt:
//   trials above mean   how many of the nine trials take longer than their mean
//   trials flush        where flush() must not stand: before the first event, or between the two
#include "given.cuh"

constexpr int kCount = 1 << 16, kTrials = 9;
constexpr std::size_t kFlushed = 64 << 20;  // bytes: more than the L2 of an H200 holds

// What another program does on this GPU during a trial: it writes so many pieces of 128 kB.
void neighbour(int trial, float* memory) {
  const int pieces[kTrials] = {2, 4, 1, 250, 6, 1, 5, 2, 3};
  check(cudaMemsetAsync(memory, 0, pieces[trial] << 17), "neighbour");
}

// Writes more than the L2 holds: what was there has to go.
void flush(float* memory) { check(cudaMemsetAsync(memory, 0, kFlushed), "flush"); }

// One number for all trials: half of them lie below it and half above, however far out a few of them are.
double typical(std::vector<double> trials) {
  std::sort(trials.begin(), trials.end());
  const std::size_t middle = trials.size() / 2;
  return trials.size() % 2 == 1 ? trials[middle] : 0.5 * (trials[middle - 1] + trials[middle]);
}

int main() {
  Floats x(kCount), y(kCount);
  float* memory = nullptr;
  check(cudaMalloc(&memory, kFlushed), "cudaMalloc");
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  scale_kernel<<<kCount / 256, 256>>>(y, x, kCount);  // a warm-up

  std::vector<double> trials;
  for (int trial = 0; trial < kTrials; ++trial) {
    flush(memory);  // before the first event: it is no part of what is measured
    check(cudaEventRecord(begin), "cudaEventRecord");
    scale_kernel<<<kCount / 256, 256>>>(y, x, kCount);
    neighbour(trial, memory);
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    trials.push_back(ms * 1e3);
    std::printf("trial %d %8.2f us\n", trial, trials.back());
  }

  const double one = typical(trials);
  int below = 0, above = 0;
  for (const double us : trials) below += us<one, above += us> one;
  std::printf("typical %8.2f us, with %d trials below and %d above it\n", one, below, above);
  std::printf("%s\n",
              below <= kTrials / 2 && above <= kTrials / 2 ? "it stands in the middle" : "it stands aside");
  for (const cudaEvent_t event : {begin, end}) cudaEventDestroy(event);
  cudaFree(memory);
  return 0;
}
