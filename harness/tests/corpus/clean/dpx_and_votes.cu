// DPX instructions, votes of a whole warp and addresses of state spaces: each with what a GPU makes of it.
#include <cstdio>

__global__ void compute(unsigned int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  __shared__ int shared[32];
  shared[lane] = 3 * lane;
  __syncwarp();
  bool first = false, high = false, low = false;
  unsigned int wrong = 0;
  const auto expect = [&](bool right, int number) {
    if (!right) wrong |= 1u << number;
  };
  expect(__viaddmax_s32(3, 4, 9) == 9 && __viaddmax_s32(3, 4, 2) == 7, 0);
  expect(__viaddmin_s32(-8, 1, 2) == -7 && __viaddmin_s32_relu(-8, 1, 2) == 0, 1);
  expect(__viaddmax_u32(0xffffffffu, 2u, 0u) == 1u, 2);  // the sum wraps around
  expect(__vimax3_s32(-1, 5, 3) == 5 && __vimin3_s32(-1, 5, 3) == -1, 3);
  expect(__vimax3_s32_relu(-1, -5, -3) == 0 && __vimin_s32_relu(4, 3) == 3, 4);
  expect(__vimax3_s16x2(0xffff0001u, 0xfffe0002u, 0xfffd0003u) == 0xffff0003u, 5);
  expect(__vimax3_s16x2_relu(0xffff0001u, 0xfffe0002u, 0xfffd0003u) == 0x00000003u, 6);
  expect(__vimin3_u16x2(0xffff0001u, 0xfffe0002u, 0xfffd0003u) == 0xfffd0001u, 7);
  expect(__vibmax_s32(2, 1, &first) == 2 && first, 8);
  expect(__vibmin_u32(2u, 1u, &first) == 1u && !first, 9);
  expect(__vibmax_s16x2(0x00010005u, 0xffff0006u, &high, &low) == 0x00010006u && high && !low, 10);
  expect(__uni_sync(0xffffffffu, 1) && !__uni_sync(0xffffffffu, lane < 3), 11);
  const std::size_t number = __cvta_generic_to_shared(&shared[lane]);
  expect(*static_cast<int*>(__cvta_shared_to_generic(number)) == 3 * lane, 12);
  expect(__cvta_global_to_generic(__cvta_generic_to_global(out)) == out, 13);
  out[lane] = wrong;
}

int main() {
  unsigned int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof *out);
  compute<<<1, 32>>>(out);
  unsigned int wrong[32];
  cudaMemcpy(wrong, out, sizeof wrong, cudaMemcpyDeviceToHost);
  for (const unsigned int lane : wrong)
    if (lane != 0) {
      std::printf("wrong: %x\n", lane);
      return 1;
    }
  cudaFree(out);
}
