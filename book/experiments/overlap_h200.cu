// What Puzzle 28's program takes on a GPU, in five ways, and when each piece of work of the overlapped one
// ran: for chapter 28.
//   nvcc -std=c++20 -O3 -arch=native -I puzzles/28_async_copy book/experiments/overlap_h200.cu -o
//   overlap_h200
//   ./overlap_h200
#include <vector>

#include "recordings.cuh"

constexpr int kTrials = 15;

struct Marks {
  cudaEvent_t copied_from, copied, smoothed, returned;
};

static cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return event;
}

// All recordings through `streams`, in turn; with a mark before and behind each piece of work where wanted.
static void smooth(float* y, const float* x, float* d_y, float* d_x, const std::vector<cudaStream_t>& streams,
                   std::vector<Marks>* marks) {
  for (int i = 0; i < kRecordings; ++i) {
    const cudaStream_t stream = streams[i % streams.size()];
    const std::size_t first = i * kElements;
    if (marks) cudaEventRecord((*marks)[i].copied_from, stream);
    check(cudaMemcpyAsync(d_x + first, x + first, kBytes, cudaMemcpyHostToDevice, stream), "to the device");
    if (marks) cudaEventRecord((*marks)[i].copied, stream);
    smooth_kernel<<<kBlocks, kThreads, 0, stream>>>(d_y + first, d_x + first);
    if (marks) cudaEventRecord((*marks)[i].smoothed, stream);
    check(cudaMemcpyAsync(y + first, d_y + first, kBytes, cudaMemcpyDeviceToHost, stream), "to the host");
    if (marks) cudaEventRecord((*marks)[i].returned, stream);
  }
  check(cudaDeviceSynchronize(), "recordings");
}

template <class Work>
static double median_us(Work work) {
  std::vector<double> trials;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double begin = host_us();
    work();
    trials.push_back(host_us() - begin);
  }
  std::sort(trials.begin(), trials.end());
  return trials[kTrials / 2];
}

int main() {
  const std::size_t count = kRecordings * kElements;
  float *x = nullptr, *y = nullptr, *d_x = nullptr, *d_y = nullptr;
  check(cudaMallocHost(&x, count * sizeof(float)), "cudaMallocHost");
  check(cudaMallocHost(&y, count * sizeof(float)), "cudaMallocHost");
  check(cudaMalloc(&d_x, count * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_y, count * sizeof(float)), "cudaMalloc");
  std::vector<float> pageable_x(count), pageable_y(count);
  std::vector<cudaStream_t> streams(kStreams);
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream), "cudaStreamCreate");
  record(x);
  std::copy(x, x + count, pageable_x.begin());
  smooth(y, x, d_y, d_x, streams, nullptr);  // a warm-up
  smooth(pageable_y.data(), pageable_x.data(), d_y, d_x, streams, nullptr);

  const double in_turn = median_us([&] { smooth_in_turn(kRecordings, y, x, d_y, d_x); });
  const auto line = [&](const char* name, double us) {
    std::printf("%-34s %8.1f us  %4.2f times as fast as in turn\n", name, us, in_turn / us);
  };
  std::printf("EIGHT RECORDINGS of 1 MiB, host's clock, medians of %d\n", kTrials);
  line("in turn", in_turn);
  line("one stream", median_us([&] { smooth(y, x, d_y, d_x, {streams[0]}, nullptr); }));
  line("two streams", median_us([&] { smooth(y, x, d_y, d_x, {streams[0], streams[1]}, nullptr); }));
  line("three streams", median_us([&] { smooth(y, x, d_y, d_x, streams, nullptr); }));
  line("three streams, pageable memory",
       median_us([&] { smooth(pageable_y.data(), pageable_x.data(), d_y, d_x, streams, nullptr); }));
  std::printf("results: %s\n", is_smooth(y, x) && is_smooth(pageable_y.data(), x) ? "right" : "wrong");

  std::vector<Marks> marks(kRecordings);
  for (Marks& m : marks) m = {new_event(), new_event(), new_event(), new_event()};
  smooth(y, x, d_y, d_x, streams, &marks);
  std::printf(
      "\nWHEN in three streams, us behind the first mark: recording, stream, copy begins, kernel, copy "
      "back, end\n");
  for (int i = 0; i < kRecordings; ++i) {
    std::printf("%d  %d", i, i % kStreams);
    for (const cudaEvent_t event :
         {marks[i].copied_from, marks[i].copied, marks[i].smoothed, marks[i].returned}) {
      float ms = 0.0f;
      check(cudaEventElapsedTime(&ms, marks[0].copied_from, event), "cudaEventElapsedTime");
      std::printf("  %7.1f", ms * 1e3);
    }
    std::printf("\n");
  }
  return 0;
}
