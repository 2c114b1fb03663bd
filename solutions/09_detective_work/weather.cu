// Case 2. A weather archive holds a year of hourly temperatures, day after day in one array. Of each day the
// mean is taken, then from these the mean of the year; the program checks the days against a plain loop.
//
// The program as it was handed in finds days that differ, where there should be none. Find out why and repair
// it. Two questions go with it, to be answered in answers.txt, about the program as it was:
//   weather day   the day, counted from 0, of the thread that reads what is not there
//   weather sums  how many of the 365 sums held a temperature too many
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kDays = 365, kHours = 24, kThreads = 64;

// A thread a day: its hours stand side by side.
__global__ void daily_mean_kernel(float* means, const float* temperatures, int days) {
  const int day = blockIdx.x * blockDim.x + threadIdx.x;
  if (day >= days) return;
  const int midnight = day * kHours;
  const int end = midnight + kHours;
  float sum = 0.0f;
  for (int at = midnight; at < end; ++at) sum += temperatures[at];  // end is the next day's midnight
  means[day] = sum / kHours;
}

// One thread adds up the days: there are few, and it is done once.
__global__ void yearly_mean_kernel(float* year, const float* means, int days) {
  float sum = 0.0f;
  for (int day = 0; day < days; ++day) sum += means[day];
  *year = sum / days;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// A cold winter and a warm summer, cold nights and warm afternoons.
std::vector<float> temperatures_of_a_year() {
  std::vector<float> values(kDays * kHours);
  for (int day = 0; day < kDays; ++day)
    for (int hour = 0; hour < kHours; ++hour) {
      const float season = 11.0f - 0.00075f * static_cast<float>((day - 200) * (day - 200));
      const float time = 4.0f - 0.0625f * static_cast<float>((hour - 15) * (hour - 15));
      values[day * kHours + hour] = season + time + 0.25f * static_cast<float>(day % 7);
    }
  return values;
}

int main() {
  const std::vector<float> temperatures = temperatures_of_a_year();
  float *d_temperatures = nullptr, *d_means = nullptr, *d_year = nullptr;
  check(cudaMalloc(&d_temperatures, temperatures.size() * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_means, kDays * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_year, sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(d_temperatures, temperatures.data(), temperatures.size() * sizeof(float),
                   cudaMemcpyHostToDevice),
        "cudaMemcpy");

  daily_mean_kernel<<<(kDays + kThreads - 1) / kThreads, kThreads>>>(d_means, d_temperatures, kDays);
  check(cudaDeviceSynchronize(), "daily_mean_kernel");
  yearly_mean_kernel<<<1, 1>>>(d_year, d_means, kDays);
  check(cudaDeviceSynchronize(), "yearly_mean_kernel");
  std::vector<float> means(kDays);
  float year = 0.0f;
  check(cudaMemcpy(means.data(), d_means, kDays * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaMemcpy(&year, d_year, sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");

  int wrong = 0;
  for (int day = 0; day < kDays; ++day) {
    float sum = 0.0f;
    for (int hour = 0; hour < kHours; ++hour) sum += temperatures[day * kHours + hour];
    wrong += std::fabs(means[day] - sum / kHours) > 1e-3f;
  }
  std::printf("mean of the year: %.2f degrees\n%d of %d days differ from the plain loop\n", year, wrong,
              kDays);
  for (float* memory : {d_temperatures, d_means, d_year}) cudaFree(memory);
  return wrong == 0 ? 0 : 1;
}
