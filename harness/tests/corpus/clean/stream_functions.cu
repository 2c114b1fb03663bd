// Functions of the host that streams call, and the ways to know that they have run. Nothing is wrong here.
#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return std::printf("line %d\n", __LINE__), 1
#define EXPECT(condition) \
  if (!(condition)) return std::printf("line %d: " #condition "\n", __LINE__), 1

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

// By the stream, and by an event.
int waited(cudaStream_t s) {
  int result = 0;
  const auto set = [](void* user) { *static_cast<int*>(user) += 5; };
  CHECK(cudaLaunchHostFunc(s, set, &result));
  CHECK(cudaStreamSynchronize(s));
  EXPECT(result == 5);
  result = 6;
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  CHECK(cudaLaunchHostFunc(s, set, &result));
  CHECK(cudaEventRecord(done, s));
  CHECK(cudaEventSynchronize(done));
  EXPECT(result == 11);
  CHECK(cudaEventDestroy(done));
  return 0;
}

// A function that sums what the stream has copied, with variables of its own, and walks backwards.
struct Walk {
  std::vector<int> values, sums;
  std::string text;
};

int with_variables(cudaStream_t s, int* device) {
  Walk walk{std::vector<int>(32), std::vector<int>(32), ""};
  fill<<<1, 32, 0, s>>>(device, 3);
  CHECK(cudaMemcpyAsync(walk.values.data(), device, 32 * sizeof(int), cudaMemcpyDeviceToHost, s));
  CHECK(cudaLaunchHostFunc(
      s,
      [](void* user) {
        Walk& w = *static_cast<Walk*>(user);
        std::vector<int> twice;
        for (int i = 31; i >= 0; --i) w.sums[i] = w.values[i] + (i < 31 ? w.sums[i + 1] : 0);
        for (const int value : w.values) twice.push_back(2 * value);
        w.text =
            "the sum is " + std::to_string(w.sums[0]) + ", and twice that " + std::to_string(2 * w.sums[0]);
      },
      &walk));
  std::vector<std::string> meanwhile;  // may come where the function's own memory was
  for (int i = 0; i < 20; ++i) meanwhile.push_back(std::string(static_cast<std::size_t>(8 * i), 'x'));
  CHECK(cudaStreamSynchronize(s));
  EXPECT(walk.sums[0] == 96 && walk.text.size() > 20 && meanwhile.back().size() == 152);
  return 0;
}

// A mutex and a condition, two counters of which one needs the mutex, and a flag.
struct Shared {
  std::mutex mutex;
  std::condition_variable condition;
  int done = 0, result = 0;
  std::atomic<int> counted{0};
};

int locked(cudaStream_t a, cudaStream_t b) {
  Shared shared;
  const auto work = [](void* user) {
    Shared& s = *static_cast<Shared*>(user);
    ++s.counted;
    const std::lock_guard lock(s.mutex);
    s.result += 4;
    ++s.done;
    s.condition.notify_one();
  };
  CHECK(cudaLaunchHostFunc(a, work, &shared));
  CHECK(cudaLaunchHostFunc(b, work, &shared));
  {
    std::unique_lock lock(shared.mutex);
    shared.condition.wait(lock, [&] { return shared.done == 2; });
    EXPECT(shared.result == 8);
    shared.result = 0;
  }
  EXPECT(shared.counted == 2);
  CHECK(cudaDeviceSynchronize());
  return 0;
}

// A thread that the function starts, and what the stream did before.
struct Handed {
  std::vector<int> values;
  std::thread thread;
  int* pinned = nullptr;
};

int handed_on(cudaStream_t s, int* device) {
  Handed handed;
  CHECK(cudaMallocHost(&handed.pinned, 32 * sizeof(int)));
  fill<<<1, 32, 0, s>>>(device, 2);
  CHECK(cudaMemcpyAsync(handed.pinned, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, s));
  CHECK(cudaLaunchHostFunc(
      s,
      [](void* user) {
        auto& h = *static_cast<Handed*>(user);
        h.values.assign(4, 1);
        h.thread = std::thread([&h] {
          for (int& value : h.values) value += h.pinned[0];
        });
      },
      &handed));
  CHECK(cudaDeviceSynchronize());
  handed.thread.join();
  EXPECT(handed.values[3] == 3);
  CHECK(cudaFreeHost(handed.pinned));
  return 0;
}

int flagged(cudaStream_t s) {
  struct Flagged {
    int result = 0;
    std::atomic<bool> ready{false};
  } flagged;
  CHECK(cudaLaunchHostFunc(
      s,
      [](void* user) {
        auto& f = *static_cast<Flagged*>(user);
        f.result = 9;
        f.ready.store(true, std::memory_order_release);
      },
      &flagged));
  while (!flagged.ready.load(std::memory_order_acquire)) std::this_thread::yield();
  EXPECT(flagged.result == 9);
  flagged.result = 0;
  CHECK(cudaStreamSynchronize(s));
  return 0;
}

int promised(cudaStream_t s) {
  std::promise<std::string> promise;
  auto future = promise.get_future();
  CHECK(cudaLaunchHostFunc(
      s, [](void* user) { static_cast<std::promise<std::string>*>(user)->set_value("the answer to it all"); },
      &promise));
  EXPECT(future.get() == "the answer to it all");
  CHECK(cudaStreamSynchronize(s));
  return 0;
}

// The function deletes what it is given, or the last who shares it does.
int given_away(cudaStream_t s) {
  int ran = 0;
  for (int i = 0; i < 4; ++i) {
    auto* const task = new std::function<void()>([&ran] { ++ran; });
    CHECK(cudaLaunchHostFunc(
        s,
        [](void* user) {
          auto* const given = static_cast<std::function<void()>*>(user);
          (*given)();
          delete given;
        },
        task));
    const std::vector<int> meanwhile(16, i);  // may come where the task was
    EXPECT(meanwhile[15] == i);
  }
  CHECK(cudaStreamSynchronize(s));
  EXPECT(ran == 4);
  auto shared = std::make_shared<std::vector<int>>(8, 1);
  auto* const kept = new std::shared_ptr<std::vector<int>>(shared);
  CHECK(cudaLaunchHostFunc(
      s,
      [](void* user) {
        auto* const given = static_cast<std::shared_ptr<std::vector<int>>*>(user);
        (**given)[0] = 2;
        delete given;
      },
      kept));
  shared.reset();
  CHECK(cudaStreamSynchronize(s));
  return 0;
}

// One in each of a graph's launches.
int in_a_graph(cudaStream_t s, int* device) {
  int launches = 0;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  fill<<<1, 32, 0, s>>>(device, 1);
  CHECK(cudaLaunchHostFunc(
      s, [](void* user) { ++*static_cast<int*>(user); }, &launches));
  CHECK(cudaStreamEndCapture(s, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  EXPECT(launches == 2);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  return 0;
}

int main() {
  cudaStream_t s, other;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&other));
  int* device;
  CHECK(cudaMalloc(&device, 32 * sizeof(int)));
  if (waited(s) || with_variables(s, device) || locked(s, other) || handed_on(s, device) || flagged(s) ||
      promised(s) || given_away(s) || in_a_graph(s, device))
    return 1;
  CHECK(cudaFree(device));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaStreamDestroy(other));
  std::printf("functions: PASSED\n");
  return 0;
}
