// Case 1. A cold store logs what its sensors count. Every sensor has a gain and an offset of its own, and
// with these the counts become degrees; then the warmest hour of each sensor is looked up.
//
// The program as it was handed in ends early, where it should print the hour of five sensors. Find out why
// and repair it. Two questions go with it, to be answered in answers.txt:
//   cold store pointer   the pointer on which the kernel fails, by its name
//   cold store pointers  how many pointers that main() passes to that launch are not what they should be
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kSensors = 48, kHours = 24;

// From the calibration sheet: degrees = gain * count + offset, a pair for each sensor.
struct Calibration {
  float* gain = nullptr;
  float* offset = nullptr;
};

// A block a sensor, a thread an hour.
__global__ void to_degrees_kernel(float* degrees, const int* counts, Calibration calibration) {
  const int sensor = blockIdx.x, hour = threadIdx.x;
  const int at = sensor * kHours + hour;
  const float scaled = calibration.gain[sensor] * counts[at];
  degrees[at] = scaled + calibration.offset[sensor];
}

// A thread a sensor.
__global__ void warmest_hour_kernel(int* warmest, const float* degrees) {
  const int sensor = blockIdx.x * blockDim.x + threadIdx.x;
  if (sensor >= kSensors) return;
  int best = 0;
  for (int hour = 1; hour < kHours; ++hour)
    if (degrees[sensor * kHours + hour] > degrees[sensor * kHours + best]) best = hour;
  warmest[sensor] = best;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// Device memory with a copy of `values` in it.
// `device` is the caller's pointer itself, not a copy of it: the caller has what cudaMalloc stores there.
void upload(float*& device, const std::vector<float>& values) {
  const std::size_t bytes = values.size() * sizeof(float);
  check(cudaMalloc(&device, bytes), "cudaMalloc");
  check(cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

int main() {
  std::vector<float> gains(kSensors), offsets(kSensors);
  std::vector<int> counts(kSensors * kHours);
  for (int sensor = 0; sensor < kSensors; ++sensor) {
    gains[sensor] = 0.125f + 0.0625f * static_cast<float>(sensor % 3);
    offsets[sensor] = -22.0f - 0.5f * static_cast<float>(sensor % 5);
    for (int hour = 0; hour < kHours; ++hour)
      counts[sensor * kHours + hour] =
          40 + sensor % 7 - (hour - 15 - sensor % 4) * (hour - 15 - sensor % 4) / 9;
  }

  Calibration calibration;
  upload(calibration.gain, gains);
  upload(calibration.offset, offsets);
  int *d_counts = nullptr, *d_warmest = nullptr;
  float* d_degrees = nullptr;
  check(cudaMalloc(&d_counts, counts.size() * sizeof(int)), "cudaMalloc");
  check(cudaMalloc(&d_degrees, counts.size() * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_warmest, kSensors * sizeof(int)), "cudaMalloc");
  check(cudaMemcpy(d_counts, counts.data(), counts.size() * sizeof(int), cudaMemcpyHostToDevice),
        "cudaMemcpy");

  to_degrees_kernel<<<kSensors, kHours>>>(d_degrees, d_counts, calibration);
  check(cudaDeviceSynchronize(), "to_degrees_kernel");
  warmest_hour_kernel<<<(kSensors + 31) / 32, 32>>>(d_warmest, d_degrees);
  check(cudaDeviceSynchronize(), "warmest_hour_kernel");
  std::vector<int> warmest(kSensors);
  check(cudaMemcpy(warmest.data(), d_warmest, kSensors * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");

  for (int sensor = 0; sensor < kSensors; sensor += 11)
    std::printf("sensor %2d was warmest at %02d:00\n", sensor, warmest[sensor]);
  for (void* memory :
       {static_cast<void*>(d_counts), static_cast<void*>(d_degrees), static_cast<void*>(d_warmest),
        static_cast<void*>(calibration.gain), static_cast<void*>(calibration.offset)})
    cudaFree(memory);
  return 0;
}
