// An asynchronous copy of 16 bytes.
#pragma once

// A thread begins to copy 16 bytes to shared memory; where they are not `inside`, zeros come, and nothing is
// read. One instruction either way: a branch here would keep the loops around it from being unrolled. kLong:
// others copy what lies beside it, 128 bytes in all, which the L2 fetches at once.
template <bool kLong = false>
__device__ inline void copy_sixteen(void* to, const void* from, bool inside) {
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (kLong)
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(place), "l"(from),
                 "r"(inside ? 16 : 0)
                 : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}
