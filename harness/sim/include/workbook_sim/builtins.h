// Qualifiers, the built-in variables of a kernel, barriers and fences.
#pragma once

#include "attributes.h"
#include "vector_types.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__  // nothing: the standard library spells an attribute so, and no count depends on it
#define __launch_bounds__(...)
#define __grid_constant__
#define __maxnreg__(...)
#define __cluster_dims__(...)  // read where launches are rewritten
// One OS thread runs one resident block, so a thread-local array is a block's shared array. For
// `extern __shared__` the linker is given one array that all such names stand for, as on the GPU.
#ifdef __clang__
#define __shared__ thread_local  // clang's constinit refuses structs that are left uninitialised
#else
#define __shared__ constinit thread_local
#endif
// Where launches are rewritten, `extern __shared__` becomes this: no call to find out whether it is
// initialised.
#define WORKBOOK_SIM_EXTERN_SHARED constinit thread_local
#define __align__(n) __attribute__((aligned(n)))  // which, unlike alignas, may follow __shared__

// clang and gcc offer these only as keywords of their own.
#ifndef __restrict__
#define __restrict__ __restrict
#endif

#ifdef __clang__
#define WORKBOOK_SIM_BUILTINS_ARE_TRACED __has_feature(thread_sanitizer)
#else
#define WORKBOOK_SIM_BUILTINS_ARE_TRACED 0
#endif
#if WORKBOOK_SIM_BUILTINS_ARE_TRACED
#include "traced_builtins.h"
#else
// The engine sets these before it runs or resumes a thread. Being const, they are not traced as memory on
// gcc, and the compiler may keep them in registers: one thread's answer never changes.
#if WORKBOOK_SIM_IS_TRACED
extern constinit const thread_local uint3 threadIdx;
#else
extern constinit thread_local uint3 threadIdx;  // the threads of a row are rounds of one loop (launch.h)
#endif
extern constinit const thread_local uint3 blockIdx;
extern constinit const thread_local uint3 blockDim;
extern constinit const thread_local uint3 gridDim;
#endif
inline constexpr int warpSize = 32;

extern "C" {
void workbook_sim_syncthreads();
int workbook_sim_syncthreads_reduce(int kind, int predicate);  // 0 count, 1 and, 2 or
void workbook_sim_fence(int reach);                            // 0 block, 1 device, 2 system
void workbook_sim_fence_of(int reach, bool acquires, bool releases);
void workbook_sim_telling(const void* object);  // before an atomic store, which others may wait for
void workbook_sim_nanosleep(unsigned int nanoseconds);
[[noreturn]] void workbook_sim_trap();
long long workbook_sim_clock();
}

#define __syncthreads() workbook_sim_syncthreads()
#define __syncthreads_count(predicate) workbook_sim_syncthreads_reduce(0, (predicate))
#define __syncthreads_and(predicate) workbook_sim_syncthreads_reduce(1, (predicate))
#define __syncthreads_or(predicate) workbook_sim_syncthreads_reduce(2, (predicate))
#define __threadfence_block() workbook_sim_fence(0)
#define __threadfence() workbook_sim_fence(1)
#define __threadfence_system() workbook_sim_fence(2)
#define __nanosleep(nanoseconds) workbook_sim_nanosleep(nanoseconds)
#define __trap() workbook_sim_trap()
inline long long clock64() { return workbook_sim_clock(); }
