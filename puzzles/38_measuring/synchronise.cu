// Program 2. How many bytes a second does scale_kernel move? The program reads the host's clock, launches,
// reads the clock again, and divides. By that the largest array moves faster than the memory of the GPU can.
//
// The kernel is right. Find out what the two readings have between them, and repair the benchmark; the host's
// clock may stay, or give way to events. Two questions go with it, about the program as it was, to be
// answered in answers.txt:
//   synchronise measured   what was measured: the launch, the kernel, or both
//   synchronise too fast   for how many of the three arrays it prints more than the roof of 4800 GB/s
#include "given.cuh"

constexpr double kRoof = 4800.0;  // GB/s of an H200

// Microseconds that one call takes.
double measure(float* y, const float* x, int count) {
  const int blocks = (count + 255) / 256;
  scale_kernel<<<blocks, 256>>>(y, x, count);  // a warm-up
  check(cudaDeviceSynchronize(), "warm-up");   // which must not be running when the clock is read

  const double begin = host_us();
  scale_kernel<<<blocks, 256>>>(y, x, count);
  const double end = host_us();
  check(cudaDeviceSynchronize(), "scale_kernel");
  return end - begin;
}

int main() {
  bool possible = true;
  for (const int count : {1 << 15, 1 << 18, 11 << 18}) {
    Floats x(count), y(count);
    const double us = measure(y, x, count);
    const double gb_per_second = 2.0 * count * sizeof(float) / us * 1e-3;
    std::printf("%8d floats %8.2f us %8.0f GB/s%s\n", count, us, gb_per_second,
                us < 0.1                ? "  less than any launch takes: are these milliseconds?"
                : gb_per_second > kRoof ? "  more than the memory can"
                                        : "");
    possible = possible && gb_per_second <= kRoof;
  }
  std::printf("%s\n", possible ? "all below the roof" : "not possible");
  return 0;
}
