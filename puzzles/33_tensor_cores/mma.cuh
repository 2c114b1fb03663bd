// Puzzle 33, what the learner is handed: the instructions of tensor cores, as functions. They are PTX, which
// CUDA C++ has no words for; the simulator runs them as well.
//
// All 32 lanes of a warp call each of them together. A register is a word of 4 bytes: two halfs, two
// bfloat16, or one float.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// Four matrices of 8 rows, a piece of 16 bytes each. Lane l gives the address of row l % 8 of matrix l / 8,
// in shared memory. Register m is then word l % 4 of row l / 4 of matrix m.
__device__ inline void ldmatrix(unsigned (&registers)[4], const uint4* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}

// sums += a b: 16 rows of a by 8 rows of b, 32 bytes of each row. T is what the words hold.
//   a[0], a[1]   word l % 4 of rows l / 4 and l / 4 + 8; a[2], a[3] likewise word l % 4 + 4
//   b0, b1       words l % 4 and l % 4 + 4 of row l / 4 of b
//   sums[0..1]   row l / 4, columns 2 (l % 4) and the next one; sums[2..3] likewise row l / 4 + 8
template <class T>
__device__ inline void mma(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1);

template <>
__device__ inline void mma<half>(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else  // compute capability 7.5 takes half of each row at a time
  for (int half_row = 0; half_row < 2; ++half_row)
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[2 * half_row]), "r"(a[2 * half_row + 1]), "r"(half_row == 0 ? b0 : b1));
#endif
}

template <>
__device__ inline void mma<__nv_bfloat16>(float (&sums)[4], const unsigned (&a)[4], unsigned b0,
                                          unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  __trap();  // compute capability 7.5 has no bfloat16
#endif
}

// Of a float the tensor cores read the upper 19 bits, and ignore the others.
template <>
__device__ inline void mma<float>(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  __trap();  // nor tf32
#endif
}

// The float in a register, rounded to the nearest that has 19 bits: tf32.
__device__ inline unsigned to_tf32(unsigned bits) {
#if __CUDA_ARCH__ >= 800
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(__uint_as_float(bits)));
#endif
  return bits;
}
