// Puzzle 23, Functional patterns: one operation on every element, out[i] = element(x[i], y[i]), written eight
// ways.
//   --loop         a grid-stride loop
//   --consecutive  each thread has kItems neighbours
//   --striped      each thread has kItems elements, a block's width apart
//   --vector       two float4 a thread
//   --functor      a loop that is given its function as an argument
//   --calls        three calls of thrust::transform, an operation each (given)
//   --thrust       one call of thrust::transform
//   --cub          one call of cub::DeviceTransform
// x, y and out are vectors of n floats, and n is any number. The same work on 1,024 elements, many times
// over, is small.cu (--small).
// kBlockSize = 256, kItems = 8.
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "given.cuh"

// All kernels here have a grid of ceil(n / (kItems * kBlockSize)) blocks of kBlockSize threads: a thread for
// kItems elements.

// --loop: a thread begins at its own number in the grid, and goes on by the number of threads in the grid.
__global__ void loop_kernel(float* out, const float* x, const float* y, int n) {
  // FILL ME IN: loop (roughly 3 lines)
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = element(x[i], y[i]);
  // END: loop
}

// Who has which element of a block's tile of kItems * kBlockSize: the place, from 0, of the `item`-th of a
// thread's kItems elements. Each place belongs to one thread. --consecutive: a thread's are neighbours.
struct Consecutive {
  __device__ int operator()(int thread, int item) const {
    int place = 0;
    // FILL ME IN: consecutive (roughly 1 line)
    place = thread * kItems + item;
    // END: consecutive
    return place;
  }
};

// --striped: the `item`-th elements of all threads of a block are neighbours.
struct Striped {
  __device__ int operator()(int thread, int item) const {
    int place = 0;
    // FILL ME IN: striped (roughly 1 line)
    place = item * kBlockSize + thread;
    // END: striped
    return place;
  }
};

// --consecutive and --striped: `place` is one of the two above.
template <class Place>
__global__ void tile_kernel(float* out, const float* x, const float* y, int n, Place place) {
  // FILL ME IN: tile (roughly 4 lines)
  const int first = blockIdx.x * kItems * kBlockSize;
  for (int item = 0; item < kItems; ++item) {
    const int i = first + place(threadIdx.x, item);
    if (i < n) out[i] = element(x[i], y[i]);  // the last tile may be cut short anywhere
  }
  // END: tile
}

// --vector: four elements an access, as far as there are four; the first threads of the grid have what is
// left. x, y and out begin at multiples of 256 bytes.
__global__ void vector_kernel(float* out, const float* x, const float* y, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const float4* x_vectors = reinterpret_cast<const float4*>(x);
  const float4* y_vectors = reinterpret_cast<const float4*>(y);
  float4* out_vectors = reinterpret_cast<float4*>(out);
  // FILL ME IN: vector (roughly 6 lines)
  for (int i = thread; i < n / 4; i += threads) {
    const float4 a = x_vectors[i], b = y_vectors[i];
    out_vectors[i] = {element(a.x, b.x), element(a.y, b.y), element(a.z, b.z), element(a.w, b.w)};
  }
  const int rest = n / 4 * 4 + thread;  // of 0 to 3 elements, a thread has one
  if (rest < n) out[rest] = element(x[rest], y[rest]);
  // END: vector
}

// Function objects, as Scale in given.cuh is one. Axpy{a} is the function a * x + y.
struct Axpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const {
    float result = 0.0f;
    // FILL ME IN: axpy (roughly 1 line)
    result = a * x + y;
    // END: axpy
    return result;
  }
};

// Clip{low, high} keeps a value that lies between the two; what is lower becomes low, what is higher high.
struct Clip {
  float low, high;
  __host__ __device__ float operator()(float value) const {
    float result = 0.0f;
    // FILL ME IN: clip (roughly 1 line)
    result = fminf(fmaxf(value, low), high);
    // END: clip
    return result;
  }
};

// One function made of two: the second of what the first gives. The first may take any number of values.
template <class First, class Second>
struct Then {
  First first;
  Second second;
  template <class... Values>
  __host__ __device__ float operator()(Values... values) const {
    float result = 0.0f;
    // FILL ME IN: then (roughly 1 line)
    result = second(first(values...));
    // END: then
    return result;
  }
};

// element(), made of function objects: Then<Then<Axpy, Clip>, Scale>.
inline auto composed() { return Then{Then{Axpy{kSlope}, Clip{kLow, kHigh}}, Scale{kGain}}; }

// --functor: what is computed comes as an argument. It is launched with composed().
template <class Function>
__global__ void transform_kernel(float* out, const float* x, const float* y, int n, Function function) {
  // FILL ME IN: transform (roughly 3 lines)
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = function(x[i], y[i]);
  // END: transform
}

// Host code, as are the two below: all are given addresses on the GPU and the stream that the work is for.
// --calls: an operation a call. Each reads what the one before has written.
inline void three_calls(float* out, const float* x, const float* y, int n, cudaStream_t stream) {
  const auto policy = thrust::cuda::par_nosync.on(stream);
  thrust::transform(policy, x, x + n, y, out, Axpy{kSlope});
  thrust::transform(policy, out, out + n, out, Clip{kLow, kHigh});
  thrust::transform(policy, out, out + n, out, Scale{kGain});
}

// --thrust: one call, of composed().
inline void by_thrust(float* out, const float* x, const float* y, int n, cudaStream_t stream) {
  // FILL ME IN: thrust (roughly 2 lines)
  const auto policy = thrust::cuda::par_nosync.on(stream);  // on the device, and nobody waits for it here
  thrust::transform(policy, x, x + n, y, out, composed());
  // END: thrust
}

// --cub: one call, of composed(). Returns what CUB returns.
inline cudaError_t by_cub(float* out, const float* x, const float* y, int n, cudaStream_t stream) {
  cudaError_t status = cudaErrorNotSupported;
  // FILL ME IN: cub (roughly 2 lines)
  const auto inputs = cuda::std::make_tuple(x, y);
  status = cub::DeviceTransform::Transform(inputs, out, n, composed(), stream);
  // END: cub
  return status;
}
