// What cub:: orders, chooses and counts for a whole device, held against the host.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return (x & 1) != 0; }
};
struct Greater {
  __host__ __device__ bool operator()(float a, float b) const { return a > b; }
};

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  cudaMalloc(&memory, std::max<std::size_t>(values.size(), 1) * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}
template <class T>
std::vector<T> on_host(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

/// Calls twice, as CUB wants it: for the size of the storage, and for the work.
template <class Call>
bool run(Call call) {
  std::size_t bytes = 0;
  void* storage = nullptr;
  if (call(nullptr, bytes) != cudaSuccess) return false;
  cudaMalloc(&storage, bytes);
  const bool right = call(storage, bytes) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(storage);
  return right;
}

bool report(const char* what, bool right) {
  if (!right) std::printf("%s: FAILED\n", what);
  return right;
}

int main() {
  constexpr int kCount = 1000;
  std::vector<int> numbers(kCount), places(kCount);
  std::vector<float> parts(kCount);
  for (int i = 0; i < kCount; ++i) {
    numbers[i] = (i * 7919) % 613 - 300;
    places[i] = i;
    parts[i] = 0.25f * static_cast<float>(numbers[i]);
  }
  int* const in = on_device(numbers);
  int* const values = on_device(places);
  float* const floats = on_device(parts);
  int *out = nullptr, *values_out = nullptr, *count = nullptr;
  float* floats_out = nullptr;
  cudaMalloc(&out, kCount * sizeof(int));
  cudaMalloc(&values_out, kCount * sizeof(int));
  cudaMalloc(&floats_out, kCount * sizeof(float));
  cudaMalloc(&count, sizeof(int));
  bool right = true;

  std::vector<int> sorted = places;
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return numbers[a] < numbers[b]; });
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, values, values_out, kCount);
  });
  right &= report("pairs", on_host(values_out, kCount) == sorted);
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, floats, floats_out, kCount);
  });
  std::vector<float> falling = parts;
  std::sort(falling.begin(), falling.end(), Greater());
  right &= report("descending", on_host(floats_out, kCount) == falling);
  cub::DoubleBuffer<int> both(in, out);
  std::vector<int> rising = numbers;
  std::sort(rising.begin(), rising.end());
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, both, kCount);
  });
  right &= report("buffers", on_host(both.Current(), kCount) == rising);
  int* const ordered = both.Current();
  int* const spare = both.Alternate();
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(storage, bytes, floats, kCount, Greater());
  });
  right &= report("merged", on_host(floats, kCount) == falling);

  int chosen = 0;
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, ordered, spare, count, kCount, IsOdd());
  });
  cudaMemcpy(&chosen, count, sizeof chosen, cudaMemcpyDeviceToHost);
  std::vector<int> odd;
  std::copy_if(rising.begin(), rising.end(), std::back_inserter(odd), IsOdd());
  right &= report("chosen", chosen == static_cast<int>(odd.size()) && on_host(spare, odd.size()) == odd);
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(storage, bytes, ordered, spare, count, kCount);
  });
  cudaMemcpy(&chosen, count, sizeof chosen, cudaMemcpyDeviceToHost);
  std::vector<int> unique = rising;
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  right &= report("unique", on_host(spare, static_cast<std::size_t>(chosen)) == unique);
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, ordered, spare, values_out, count, kCount);
  });
  const std::vector<int> lengths = on_host(values_out, unique.size());
  bool counted = true;
  for (std::size_t i = 0; i < unique.size(); ++i)
    counted &= lengths[i] == std::count(rising.begin(), rising.end(), unique[i]);
  right &= report("runs", counted);
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DevicePartition::If(storage, bytes, ordered, spare, count, kCount, IsOdd());
  });
  const std::vector<int> parted = on_host(spare, kCount);
  right &=
      report("parted", std::equal(odd.begin(), odd.end(), parted.begin()) && !IsOdd()(parted[kCount - 1]));

  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, ordered, values_out, 5, -300, 300, kCount);
  });
  const std::vector<int> bins = on_host(values_out, 4);
  int in_second = 0;
  for (const int number : numbers) in_second += number >= -150 && number < 0;
  right &= report("bins", bins[1] == in_second);
  int* const offsets = on_device(std::vector<int>{0, 10, 10, kCount});
  right &= run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, ordered, values_out, 3, offsets, offsets + 1);
  });
  const std::vector<int> sums = on_host(values_out, 3);
  int first = 0;
  for (int i = 0; i < 10; ++i) first += rising[static_cast<std::size_t>(i)];
  right &= report("segments", sums[0] == first && sums[1] == 0);

  for (void* memory : {(void*)in, (void*)values, (void*)floats, (void*)out, (void*)values_out,
                       (void*)floats_out, (void*)count, (void*)offsets})
    cudaFree(memory);
  if (right) std::printf("cub: PASSED\n");
  return right ? 0 : 1;
}
