// Threads of the host that use the same buffers one after another: joined, by a mutex, an atomic, a condition
// variable, a future; and at the same time, each a part of its own.
#include <cuda_runtime.h>
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

__global__ void add(int* sums, int value) { sums[threadIdx.x] += value; }

class Stream {
 public:
  Stream() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream_); }
  void add(int* sums, int value) {
    ::add<<<1, 32, 0, stream_>>>(sums, value);
    cudaStreamSynchronize(stream_);
  }

 private:
  cudaStream_t stream_;
};

void* add_one(void* sums) {
  Stream().add(static_cast<int*>(sums), 1);
  return nullptr;
}

void with_mutex(int* sums) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      Stream stream;
      const std::lock_guard lock(mutex);
      stream.add(sums, 1);
    });
  for (std::thread& thread : threads) thread.join();
}

void with_atomic(int* sums) {
  std::atomic<bool> ready{false};
  std::thread first([&] {
    Stream().add(sums, 1);
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  Stream().add(sums, 1);
  first.join();
}

void with_condition(int* sums) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread first([&] {
    Stream().add(sums, 1);
    {
      const std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  }
  Stream().add(sums, 1);
  first.join();
}

int main() {
  int* sums;
  cudaMallocManaged(&sums, 64 * sizeof(int));
  cudaMemset(sums, 0, 64 * sizeof(int));
  cudaDeviceSynchronize();
  std::thread low([=] { Stream().add(sums, 1); }), high([=] { Stream().add(sums + 32, 1); });
  low.join();
  high.join();
  Stream().add(sums, 1);
  pthread_t plain;
  pthread_create(&plain, nullptr, add_one, sums);
  pthread_join(plain, nullptr);
  with_mutex(sums);
  with_atomic(sums);
  with_condition(sums);
  auto task = std::async(std::launch::async, [=] {
    Stream().add(sums, 1);
    return 1;
  });
  Stream().add(sums, task.get());
  std::thread([=] { Stream().add(sums, 1); }).join();
  printf("%d\n", sums[0]);
  cudaFree(sums);
}
