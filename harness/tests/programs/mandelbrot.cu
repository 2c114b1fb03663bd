// The Mandelbrot set as a PGM image on standard output: `workbook sim mandelbrot.cu > set.pgm`.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

class Complex {
 public:
  __host__ __device__ Complex(float re, float im) : re_(re), im_(im) {}
  __host__ __device__ float norm() const { return re_ * re_ + im_ * im_; }
  __host__ __device__ Complex operator*(const Complex& o) const {
    return Complex(re_ * o.re_ - im_ * o.im_, re_ * o.im_ + im_ * o.re_);
  }
  __host__ __device__ Complex operator+(const Complex& o) const { return Complex(re_ + o.re_, im_ + o.im_); }

 private:
  float re_, im_;
};

struct View {
  float left, top, step;
  int width, height, limit;
};

__host__ __device__ inline int iterations(const View& view, int x, int y) {
  const Complex c(view.left + x * view.step, view.top - y * view.step);
  Complex z(0.0f, 0.0f);
  int i = 0;
  while (i < view.limit && z.norm() <= 4.0f) {
    z = z * z + c;
    ++i;
  }
  return i;
}

__global__ void render(std::uint8_t* image, View view) {
  const int x = blockDim.x * blockIdx.x + threadIdx.x;
  const int y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x >= view.width || y >= view.height) return;
  const int i = iterations(view, x, y);
  image[y * view.width + x] = static_cast<std::uint8_t>(i == view.limit ? 0 : 255 - 255 * i / view.limit);
}

int main() {
  const View view{-2.2f, 1.2f, 3.2f / 160, 160, 120, 64};
  std::vector<std::uint8_t> image(view.width * view.height);
  std::uint8_t* d_image = nullptr;
  cudaMalloc(&d_image, image.size());
  const dim3 block(16, 8), grid((view.width + block.x - 1) / block.x, (view.height + block.y - 1) / block.y);
  render<<<grid, block>>>(d_image, view);
  if (cudaMemcpy(image.data(), d_image, image.size(), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  cudaFree(d_image);
  std::printf("P5\n%d %d\n255\n", view.width, view.height);
  std::fwrite(image.data(), 1, image.size(), stdout);

  int inside = 0;
  for (const std::uint8_t pixel : image) inside += pixel == 0;
  const double area = inside * static_cast<double>(view.step) * view.step;
  std::fprintf(stderr, "area %.3f\n", area);
  return area > 1.4 && area < 1.8 ? 0 : 1;
}
