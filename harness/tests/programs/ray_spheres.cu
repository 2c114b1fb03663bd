// Spheres lit from one side, drawn in characters: vector operators, structures in constant memory, a bounce.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

struct Vec {
  float x, y, z;
};
__host__ __device__ inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__host__ __device__ inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline Vec operator*(float s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
__host__ __device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline Vec normalize(Vec a) { return (1.0f / sqrtf(dot(a, a))) * a; }

struct Sphere {
  Vec centre;
  float radius, shine;
  // Distance along the ray, or a negative number.
  __host__ __device__ float hit(Vec from, Vec direction) const {
    const Vec oc = from - centre;
    const float b = dot(oc, direction), c = dot(oc, oc) - radius * radius, discriminant = b * b - c;
    return discriminant < 0.0f ? -1.0f : -b - sqrtf(discriminant);
  }
};

constexpr int kSpheres = 3, kWidth = 72, kHeight = 30;
__constant__ Sphere spheres[kSpheres];

__device__ const Sphere* nearest(Vec from, Vec direction, float* distance) {
  const Sphere* best = nullptr;
  *distance = 1e30f;
  for (const Sphere& s : spheres) {
    const float t = s.hit(from, direction);
    if (t > 1e-3f && t < *distance) *distance = t, best = &s;
  }
  return best;
}

__global__ void trace(float* image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kWidth || y >= kHeight) return;
  Vec from{0, 0, -3}, direction = normalize({(x - kWidth / 2) / 30.0f, (kHeight / 2 - y) / 15.0f, 2.0f});
  const Vec light = normalize({-1, 1, -1});
  float weight = 1.0f, brightness = 0.0f;
  for (int bounce = 0; bounce < 4; ++bounce) {
    float t;
    const Sphere* s = nearest(from, direction, &t);
    if (s == nullptr) break;
    const Vec at = from + t * direction, normal = (1.0f / s->radius) * (at - s->centre);
    float shadow_distance;
    const bool lit = nearest(at, light, &shadow_distance) == nullptr;
    brightness += weight * (1.0f - s->shine) * (0.1f + (lit ? fmaxf(0.0f, dot(normal, light)) : 0.0f));
    weight *= s->shine;
    direction = direction - 2.0f * dot(direction, normal) * normal;
    from = at;
  }
  image[y * kWidth + x] = brightness;
}

int main() {
  const Sphere host[kSpheres] = {
      {{0, 0, 3}, 1.2f, 0.2f}, {{-1.8f, -0.4f, 2.5f}, 0.6f, 0.5f}, {{1.6f, 0.6f, 2}, 0.5f, 0.0f}};
  cudaMemcpyToSymbol(spheres, host, sizeof host);
  float* d_image;
  cudaMalloc(&d_image, kWidth * kHeight * sizeof(float));
  trace<<<dim3((kWidth + 15) / 16, (kHeight + 7) / 8), dim3(16, 8)>>>(d_image);
  std::vector<float> image(kWidth * kHeight);
  cudaMemcpy(image.data(), d_image, image.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_image);
  int covered = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const float b = image[y * kWidth + x];
      covered += b > 0.0f;
      std::putchar(" .:-=+*#%@"[b <= 0.0f ? 0 : static_cast<int>(std::fmin(9.0f, 1.0f + 9.0f * b))]);
    }
    std::putchar('\n');
  }
  return covered > 150 && covered < 900 && image[0] == 0.0f && image[15 * kWidth + 36] > 0.0f ? 0 : 1;
}
