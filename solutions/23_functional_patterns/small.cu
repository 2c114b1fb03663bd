// Puzzle 23, --small: kSteps steps on kCount = 1,024 elements, each x[i] = fold(fade(x[i], y[i])). The
// results are right. But a step takes several times what the host needs for a launch, and on 1,024 elements
// the GPU has next to nothing to do.
//
// Repair step(), and where it must be main(): one launch a step, and nobody waits between two steps. The
// functions of a step are in small.cuh. Look at the calls: workbook profile 23 --small --calls
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include "small.cuh"

// Both functions, one after the other.
struct FadeAndFold {
  Fade fade;
  Fold fold;
  __host__ __device__ float operator()(float value, float more) const { return fold(fade(value, more)); }
};

// x = fold(fade(x, y)), in place.
void step(const Floats& x, const Floats& y) {
  const auto policy = thrust::cuda::par_nosync;  // one stream keeps the steps in order: no need to wait
  thrust::transform(policy, x.begin(), x.end(), y.begin(), x.begin(), FadeAndFold{{0.75f}, {1.5f}});
}

int main() {
  const std::vector<float> first = numbers(7, -0.75f), more = numbers(11, -0.375f);
  const Floats x(first), y(more);
  step(x, y);  // a warm-up: it loads the kernels
  check(cudaDeviceSynchronize(), "warm-up");

  const double begin = host_us();
  for (int i = 0; i < kSteps; ++i) step(x, y);
  check(cudaDeviceSynchronize(), "steps");  // the only wait: for the last step
  const double us = (host_us() - begin) / kSteps;

  std::printf("%d steps on %d elements: %.2f us a step\n", kSteps, kCount, us);
  std::printf("%s\n",
              is_right(x, first, more, kSteps + 1) ? "the results are right" : "the results are wrong");
  return 0;
}
