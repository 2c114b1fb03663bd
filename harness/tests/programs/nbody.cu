// Bodies under gravity: positions pass through shared memory a tile at a time; energy is checked at the end.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kTile = 128;
constexpr float kSoftening = 1e-2f;

__device__ float3 pull(float4 me, float4 other, float3 acceleration) {
  const float3 r = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
  const float distance = r.x * r.x + r.y * r.y + r.z * r.z + kSoftening;
  const float inverse = rsqrtf(distance);
  const float s = other.w * inverse * inverse * inverse;
  acceleration.x += r.x * s;
  acceleration.y += r.y * s;
  acceleration.z += r.z * s;
  return acceleration;
}

__global__ void accelerate(const float4* __restrict__ position, float4* velocity, float dt, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 acceleration = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += kTile) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) acceleration = pull(me, tile[k], acceleration);
    __syncthreads();
  }
  if (i < n) {
    float4 v = velocity[i];
    v.x += acceleration.x * dt;
    v.y += acceleration.y * dt;
    v.z += acceleration.z * dt;
    velocity[i] = v;
  }
}

__global__ void move(float4* position, const float4* velocity, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = velocity[i];
  float4 p = position[i];
  p.x += v.x * dt, p.y += v.y * dt, p.z += v.z * dt;
  position[i] = p;
}

static double energy(const std::vector<float4>& p, const std::vector<float4>& v) {
  double total = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    total += 0.5 * p[i].w * (v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
    for (size_t j = 0; j < i; ++j) {
      const double x = p[i].x - p[j].x, y = p[i].y - p[j].y, z = p[i].z - p[j].z;
      total -= p[i].w * p[j].w / std::sqrt(x * x + y * y + z * z + kSoftening);
    }
  }
  return total;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 300, steps = 4;
  const float dt = 1e-3f;
  std::vector<float4> position(n), velocity(n, make_float4(0, 0, 0, 0));
  std::srand(42);
  for (auto& p : position) {
    p.x = std::rand() / static_cast<float>(RAND_MAX);
    p.y = std::rand() / static_cast<float>(RAND_MAX);
    p.z = std::rand() / static_cast<float>(RAND_MAX);
    p.w = 1.0f / n;
  }
  const double before = energy(position, velocity);
  float4 *d_position, *d_velocity;
  cudaMalloc(&d_position, n * sizeof(float4));
  cudaMalloc(&d_velocity, n * sizeof(float4));
  cudaMemcpy(d_position, position.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(d_velocity, velocity.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  const int blocks = (n + kTile - 1) / kTile;
  for (int s = 0; s < steps; ++s) {
    accelerate<<<blocks, kTile>>>(d_position, d_velocity, dt, n);
    move<<<blocks, kTile>>>(d_position, d_velocity, dt, n);
  }
  cudaMemcpy(position.data(), d_position, n * sizeof(float4), cudaMemcpyDeviceToHost);
  cudaMemcpy(velocity.data(), d_velocity, n * sizeof(float4), cudaMemcpyDeviceToHost);
  const double after = energy(position, velocity);
  std::printf("energy %.6f before, %.6f after %d steps\n", before, after, steps);
  cudaFree(d_position);
  cudaFree(d_velocity);
  return std::fabs(after - before) < 1e-4 * std::fabs(before) && velocity[0].x != 0.0f ? 0 : 1;
}
