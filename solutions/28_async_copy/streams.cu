// Puzzle 28, --streams: recordings travel to the device, are smoothed there and come back. In turn, the link
// to the host and the multiprocessors wait for each other. An H200 has two engines that copy, one for each
// direction, and they work beside the kernels if they are given work that need not wait: in streams of its
// own, and between memory that they can reach.
//
// Write host_floats and smooth_overlapped. smooth_kernel, smooth_in_turn and all constants stand in
// recordings.cuh: kRecordings = 8 of kElements floats, kBytes bytes, each; kStreams = 3. Look at it:
//   workbook profile 28 --streams --calls
#include "recordings.cuh"

// `count` floats of host memory that the copy engines can reach: pinned, so that it is never moved.
float* host_floats(std::size_t count) {
  float* memory = nullptr;
  // FILL ME IN: pinned (roughly 1 line)
  check(cudaMallocHost(&memory, count * sizeof(float)), "cudaMallocHost");
  // END: pinned
  return memory;
}

// Smooths all recordings of x into y: recording i goes through stream i % kStreams. Both are host memory;
// d_x and d_y have room for all recordings on the device. y is complete when it returns.
void smooth_overlapped(float* y, const float* x, float* d_y, float* d_x) {
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream), "cudaStreamCreate");
  // FILL ME IN: overlap (roughly 8 lines)
  for (int i = 0; i < kRecordings; ++i) {
    const cudaStream_t stream = streams[i % kStreams];
    const std::size_t first = i * kElements;
    // Within a stream everything is done in order, so a kernel waits for its recording and nothing else.
    check(cudaMemcpyAsync(d_x + first, x + first, kBytes, cudaMemcpyHostToDevice, stream), "to the device");
    smooth_kernel<<<kBlocks, kThreads, 0, stream>>>(d_y + first, d_x + first);
    check(cudaMemcpyAsync(y + first, d_y + first, kBytes, cudaMemcpyDeviceToHost, stream), "to the host");
  }
  check(cudaDeviceSynchronize(), "overlapped recordings");  // once, when all of it has been asked for
  // END: overlap
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

int main() {
  const std::size_t count = kRecordings * kElements;
  float *x = host_floats(count), *y = host_floats(count), *d_x = nullptr, *d_y = nullptr;
  check(cudaMalloc(&d_x, count * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_y, count * sizeof(float)), "cudaMalloc");
  record(x);
  smooth_in_turn(1, y, x, d_y, d_x);  // a warm-up

  double in_turn_us = INFINITY, overlapped_us = INFINITY;
  for (int trial = 0; trial < kTrials; ++trial) {
    nvtxRangePushA("in turn");
    double begin_us = host_us();
    smooth_in_turn(kRecordings, y, x, d_y, d_x);
    in_turn_us = std::min(in_turn_us, host_us() - begin_us);
    nvtxRangePop();

    std::fill(y, y + count, NAN);
    nvtxRangePushA("overlapped");
    begin_us = host_us();
    smooth_overlapped(y, x, d_y, d_x);
    overlapped_us = std::min(overlapped_us, host_us() - begin_us);
    nvtxRangePop();
  }

  std::printf("results: %s\n", is_smooth(y, x) ? "right" : "wrong");
  std::printf("in turn    %8.1f us\noverlapped %8.1f us, %.2f times as fast\n", in_turn_us, overlapped_us,
              in_turn_us / overlapped_us);
  std::printf("overlap: %s\n", in_turn_us >= 1.5 * overlapped_us ? "yes" : "no");
  for (float* memory : {x, y}) cudaFreeHost(memory);
  for (float* memory : {d_x, d_y}) cudaFree(memory);
  return 0;
}
