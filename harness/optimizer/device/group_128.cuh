// The instruction by which a group of four warps multiplies 64 rows by 128 columns.
#pragma once

#include <type_traits>

#include "optimizer/device/half.cuh"

// sums += left right, of 16 elements of the index that is summed away, both tiles in shared memory, as
// described(). kLeftAcross: rows of what is left lie beside each other in memory; kRightAcross: columns of
// what is right do.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// clang-format off
template <int kLeftAcross, int kRightAcross>
__device__ inline void group_step(float (&sums)[16][4], int adds, unsigned long long left, unsigned long long right) {
  if constexpr (std::is_same_v<Half, half>)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %68, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, p, 1, 1, %66, %67;\n}"
        : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]),
          "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
          "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]),
          "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
          "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]),
          "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
          "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]),
          "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
          "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]),
          "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
          "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]),
          "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
          "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]),
          "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
          "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]),
          "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
        : "l"(left), "l"(right), "n"(kLeftAcross), "n"(kRightAcross), "r"(adds));
  else
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %68, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, p, 1, 1, %66, %67;\n}"
        : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]),
          "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
          "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]),
          "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
          "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]),
          "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
          "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]),
          "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
          "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]),
          "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
          "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]),
          "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
          "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]),
          "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
          "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]),
          "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
        : "l"(left), "l"(right), "n"(kLeftAcross), "n"(kRightAcross), "r"(adds));
}
// clang-format on
#endif
