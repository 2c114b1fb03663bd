// Program 4. A small multi-layer perceptron: steps, each a number of layers, each a linear_kernel and a
// gelu_kernel. How does its time grow when one of the four numbers that describe it grows?
//
// The measurement is right by now: warm-up, wait, clock, work, wait, clock. Two things are missing. Put a
// range of NVTX around each step, called "step", and one around each layer, called "layer"; and let main()
// scale not only the steps, but layers, batch and width too. Then look at it:
//   workbook profile 38 --mlp
// Three questions go with it, to be answered in answers.txt:
//   mlp launches   how many kernels a step of the base size launches
//   mlp longest    which of the two kernels takes most of the time of the device
//   mlp linear     which two of the four make the time grow nearly as they do: four times for 4
#include <nvtx3/nvToolsExt.h>

#include "given.cuh"

struct Scale {
  int steps = 2, layers = 2, batch = 16, width = 64;
};

class Mlp {
 public:
  explicit Mlp(const Scale& scale)
      : scale_(scale),
        x_(scale.batch * scale.width),
        hidden_(scale.batch * scale.width),
        weights_(scale.width * scale.width, 0.125f) {}

  void layer() {
    const int batch = scale_.batch, width = scale_.width;
    linear_kernel<<<tiles(batch, width), tile_threads()>>>(hidden_, x_, weights_, batch, width, width);
    gelu_kernel<<<(batch * width + 255) / 256, 256>>>(x_, hidden_, batch * width);
  }

  void step() {
    for (int i = 0; i < scale_.layers; ++i) layer();
  }

 private:
  Scale scale_;
  Floats x_, hidden_, weights_;
};

// Microseconds that all steps take.
double measure(const Scale& scale) {
  Mlp mlp(scale);
  mlp.layer();  // a warm-up: both kernels
  check(cudaDeviceSynchronize(), "warm-up");
  const double begin = host_us();
  for (int i = 0; i < scale.steps; ++i) mlp.step();
  check(cudaDeviceSynchronize(), "steps");
  return host_us() - begin;
}

// Prints the time for a number of the scale times 1, 2 and 4.
void sweep(const char* name, int Scale::*number) {
  double base_us = 0.0;
  std::printf("%-6s", name);
  for (const int factor : {1, 2, 4}) {
    Scale scale;
    scale.*number *= factor;
    const double us = measure(scale);
    if (factor == 1) base_us = us;
    std::printf("  x%d %8.2f us (%4.2f times)", factor, us, us / base_us);
  }
  std::printf("\n");
}

int main() {
  sweep("steps", &Scale::steps);
  return 0;
}
