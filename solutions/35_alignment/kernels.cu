// Puzzle 35, Alignment and vector width: the map of Puzzle 01, out[i] = a[i] + 10, with as few requests and
// bytes as it can do with.
//   --map                         as in Puzzle 01: blocks of 64 threads, an element a thread
//   --bytes4, --bytes8, --bytes16 blocks of 256 threads; a thread moves a float, a float2, a float4
//   --slice4                      --bytes4 on slices out[s..] and a[s..] of larger vectors
//   --slice16                     the same with a float4 wherever one fits
//   --aos                         the ages of particles, each of which is a structure of eight floats
//   --soa                         the same where each of the eight is an array of its own
// Every element may be read once and written once. `size` and `count` are any numbers from 1 on. kBlock =
// 256, kItems = 4.
#include <cuda_runtime.h>

#include "given.cuh"

// --map, --bytes4, --bytes8, --bytes16, --slice4. Vector is float, float2 or float4; float2 and float4 come
// with arrays that begin at a multiple of 16 bytes. There are at least size / kFloats<Vector> +
// size % kFloats<Vector> threads: one for each whole vector, and one for each float behind the last.
template <class Vector>
__global__ void map_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FILL ME IN: wide (roughly 7 lines)
  const int vectors = size / kFloats<Vector>;
  if (i < vectors) {
    const Vector mine = reinterpret_cast<const Vector*>(a)[i];  // one instruction, whatever its width
    reinterpret_cast<Vector*>(out)[i] = plus_ten(mine);
  } else {
    const int last = vectors * kFloats<Vector> + i - vectors;  // the threads behind have a float each
    if (last < size) out[last] = plus_ten(a[last]);
  }
  // END: wide
}

// --slice16. `out` and `a` begin anywhere in larger arrays, both equally far before a multiple of 16 bytes.
// There are at least size / 4 + 3 threads.
__global__ void slice_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FILL ME IN: slice (roughly 9 lines)
  const int head = min(floats_to_boundary(a), size);  // these come before the first address that fits
  const int vectors = (size - head) / kFloats<float4>;
  const int tail = head + vectors * kFloats<float4>;  // where the whole vectors end
  if (i < vectors) {
    const float4 mine = reinterpret_cast<const float4*>(a + head)[i];
    reinterpret_cast<float4*>(out + head)[i] = plus_ten(mine);
  }
  // At most three floats on either side, by threads that have a vector, too.
  if (i < head) out[i] = plus_ten(a[i]);
  if (tail + i < size) out[tail + i] = plus_ten(a[tail + i]);
  // END: slice
}

// --aos: particles[i] is a structure. Blocks of kBlock threads; a block has kItems * kBlock particles, and
// thread 0 of it the first, the one kBlock further, and so on.
__global__ void aos_kernel(float* out, const Particle* particles, int count) {
  const int first = blockIdx.x * kItems * kBlock + threadIdx.x;
  // FILL ME IN: aos (roughly 2 lines)
  for (int k = 0, i = first; k < kItems; ++k, i += kBlock)
    if (i < count) out[i] = plus_ten(particles[i].age);  // of each sector that comes, 4 bytes of 32
  // END: aos
}

// --soa, launched as aos_kernel is: `fields` holds kFields arrays of `count` floats, one behind the other,
// and array kAge has the ages.
__global__ void soa_kernel(float* out, const float* fields, int count) {
  const int first = blockIdx.x * kItems * kBlock + threadIdx.x;
  // FILL ME IN: soa (roughly 3 lines)
  const float* ages = fields + static_cast<std::size_t>(kAge) * count;
  for (int k = 0, i = first; k < kItems; ++k, i += kBlock)
    if (i < count) out[i] = plus_ten(ages[i]);  // neighbours want neighbours: all of each sector is used
  // END: soa
}
