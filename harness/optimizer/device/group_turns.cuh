// Two groups of four warps that multiply, and one that copies.
#pragma once

// The group that copies has few registers, the others many.
__device__ inline void give_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
#endif
}
__device__ inline void take_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
}
// Groups begin products in turns, so that one weighs while the other multiplies: a turn begins when the other
// group's has ended, and as many end as begin.
__device__ inline void begin_turn() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("bar.sync %0, 256;" ::"r"(1 + static_cast<int>(threadIdx.x) / 128) : "memory");
#endif
}
__device__ inline void end_turn() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("bar.arrive %0, 256;" ::"r"(2 - static_cast<int>(threadIdx.x) / 128) : "memory");
#endif
}
