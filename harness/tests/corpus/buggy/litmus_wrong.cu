// Wrong: the tests by which memory models are told apart, each with an order or a scope that does not
// suffice.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>

template <class T>
using Device = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T>
using Block = cuda::atomic_ref<T, cuda::thread_scope_block>;
constexpr auto kRelaxed = cuda::memory_order_relaxed;
constexpr auto kAcquire = cuda::memory_order_acquire;
constexpr auto kRelease = cuda::memory_order_release;
constexpr auto kBoth = cuda::memory_order_acq_rel;
constexpr auto kStrongest = cuda::memory_order_seq_cst;

// What a test has: data that is written and read plainly, and words by which blocks tell each other.
struct Room {
  int data[4], flag[4], turn, count, lock, out[4];
};
struct Wide {
  int part[4][64], count, sum;
};

__global__ void mp_relaxed_store(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelaxed);
  } else {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_relaxed_load(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelease);
  } else {
    while (Device<int>(r->flag[0]).load(kRelaxed) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_store_acquires(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    cuda::atomic_thread_fence(kAcquire, cuda::thread_scope_device);
    Device<int>(r->flag[0]).store(1, kRelaxed);
  } else {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_no_fence_behind(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    __threadfence();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_no_fence_before(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    __threadfence();
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_volatile_no_fence_behind(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    __threadfence();
    *static_cast<volatile int*>(&r->flag[0]) = 1;
  } else {
    while (*static_cast<volatile int*>(&r->flag[0]) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_fence_of_block(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    __threadfence_block();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    __threadfence();
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_fence_of_block_behind(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    __threadfence();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    __threadfence_block();
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_scope_of_block(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;                             // expect-other: race_global
    Block<int>(r->flag[0]).store(1, kRelease);  // expect-other: race_global
  } else {
    while (Block<int>(r->flag[0]).load(kAcquire) == 0) {  // expect: race_global
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void mp_other_flag(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelease);
    Device<int>(r->flag[1]).store(1, kRelaxed);
  } else {
    while (Device<int>(r->flag[1]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void wrc_relaxed_between(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelease);
  } else if (blockIdx.x == 1) {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    Device<int>(r->flag[1]).store(1, kRelaxed);
  } else {
    while (Device<int>(r->flag[1]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void wrc_relaxed_load_between(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelease);
  } else if (blockIdx.x == 1) {
    while (Device<int>(r->flag[0]).load(kRelaxed) == 0) {
    }
    Device<int>(r->flag[1]).store(1, kRelease);
  } else {
    while (Device<int>(r->flag[1]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];  // expect: race_global
  }
}

__global__ void iriw_relaxed_stores(Room* r) {
  const int b = blockIdx.x;
  if (b < 2) {
    r->data[b] = 7;  // expect-other: race_global
    Device<int>(r->flag[b]).store(1, kRelaxed);
  } else {
    for (int k = 0; k < 2; ++k)
      while (Device<int>(r->flag[(b + k) % 2]).load(kAcquire) == 0) {
      }
    r->out[b] = r->data[0] + r->data[1];  // expect: race_global
  }
}

__global__ void iriw_relaxed_loads(Room* r) {
  const int b = blockIdx.x;
  if (b < 2) {
    r->data[b] = 7;  // expect-other: race_global
    Device<int>(r->flag[b]).store(1, kRelease);
  } else {
    for (int k = 0; k < 2; ++k)
      while (Device<int>(r->flag[(b + k) % 2]).load(kRelaxed) == 0) {
      }
    r->out[b] = r->data[0] + r->data[1];  // expect: race_global
  }
}

__global__ void iriw_scope_of_block(Room* r) {
  const int b = blockIdx.x;
  if (b < 2) {
    r->data[b] = 7;                             // expect-other: race_global
    Block<int>(r->flag[b]).store(1, kRelease);  // expect-other: race_global
  } else {
    for (int k = 0; k < 2; ++k)
      while (Block<int>(r->flag[(b + k) % 2]).load(kAcquire) == 0) {  // expect: race_global
      }
    r->out[b] = r->data[0] + r->data[1];  // expect: race_global
  }
}

__global__ void lb_relaxed_store(Room* r) {
  if (blockIdx.x == 0) {
    r->out[0] = r->data[0];  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelaxed);
  } else {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    r->data[0] = 9;  // expect: race_global
  }
}

__global__ void lb_relaxed_load(Room* r) {
  if (blockIdx.x == 0) {
    r->out[0] = r->data[0];  // expect-other: race_global
    Device<int>(r->flag[0]).store(1, kRelease);
  } else {
    while (Device<int>(r->flag[0]).load(kRelaxed) == 0) {
    }
    r->data[0] = 9;  // expect: race_global
  }
}

__global__ void lb_fence_of_block(Room* r) {
  if (blockIdx.x == 0) {
    r->out[0] = r->data[0];  // expect-other: race_global
    __threadfence_block();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    __threadfence();
    r->data[0] = 9;  // expect: race_global
  }
}

__global__ void sb_relaxed(Room* r) {
  const int me = blockIdx.x, other = 1 - me;
  Device<int>(r->flag[me]).store(1, kRelaxed);
  Device<int>(r->turn).exchange(other, kRelaxed);
  while (Device<int>(r->flag[other]).load(kRelaxed) == 1 && Device<int>(r->turn).load(kRelaxed) == other) {
  }
  r->data[0] += 1;  // expect: race_global
  Device<int>(r->flag[me]).store(0, kRelaxed);
}

__global__ void lock_relaxed(Room* r) {
  while (Device<int>(r->lock).exchange(1, kRelaxed) != 0) {
  }
  r->data[0] += 1;  // expect: race_global
  Device<int>(r->lock).store(0, kRelease);
}

__global__ void unlock_relaxed(Room* r) {
  while (Device<int>(r->lock).exchange(1, kAcquire) != 0) {
  }
  r->data[0] += 1;  // expect: race_global
  Device<int>(r->lock).store(0, kRelaxed);
}

__global__ void lock_no_fence_behind(Room* r) {
  while (atomicCAS(&r->lock, 0, 1) != 0) {
  }
  r->data[0] += 1;  // expect: race_global
  __threadfence();
  atomicExch(&r->lock, 0);
}

__global__ void unlock_fence_of_block(Room* r) {
  while (atomicCAS(&r->lock, 0, 1) != 0) {
  }
  __threadfence();
  r->data[0] += 1;  // expect: race_global
  __threadfence_block();
  atomicExch(&r->lock, 0);
}

__global__ void lock_scope_of_block(Room* r) {
  while (atomicCAS_block(&r->lock, 0, 1) != 0) {  // expect: race_global
  }
  __threadfence();
  r->data[0] += 1;  // expect: race_global
  __threadfence();
  atomicExch_block(&r->lock, 0);  // expect-other: race_global
}

__global__ void last_only_releases(Room* r) {
  r->data[blockIdx.x] = 5;  // expect-other: race_global
  const bool last = Device<int>(r->count).fetch_add(1, kRelease) == 3;
  if (!last) return;
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];  // expect: race_global
}

__global__ void last_only_acquires(Room* r) {
  r->data[blockIdx.x] = 5;  // expect-other: race_global
  const bool last = Device<int>(r->count).fetch_add(1, kAcquire) == 3;
  if (!last) return;
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];  // expect: race_global
}

__global__ void last_no_fence_behind(Room* r) {
  r->data[blockIdx.x] = 5;  // expect-other: race_global
  __threadfence();
  const bool last = atomicAdd(&r->count, 1) == 3;
  if (!last) return;
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];  // expect: race_global
}

__global__ void last_fence_of_block(Room* r) {
  r->data[blockIdx.x] = 5;  // expect-other: race_global
  __threadfence_block();
  const bool last = atomicAdd(&r->count, 1) == 3;
  if (!last) return;
  __threadfence();
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];  // expect: race_global
}

__global__ void last_scope_of_block(Room* r) {
  r->data[blockIdx.x] = 5;  // expect-other: race_global
  __threadfence();
  const bool last = atomicAdd_block(&r->count, 1) == 3;  // expect: race_global
  if (!last) return;
  __threadfence();
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];  // expect: race_global
}

__global__ void barrier_no_fence_behind(Wide* w) {
  __shared__ bool last;
  w->part[blockIdx.x][threadIdx.x] = 5;  // expect-other: race_global
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&w->count, 1) == 3;
  __syncthreads();
  if (last)
    for (int b = 0; b < 4; ++b) atomicAdd(&w->sum, w->part[b][threadIdx.x]);  // expect: race_global
}

__global__ void barrier_fence_of_one(Wide* w) {
  __shared__ bool last;
  w->part[blockIdx.x][threadIdx.x] = 5;  // expect-other: race_global
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&w->count, 1) == 3;
  __syncthreads();
  if (last && threadIdx.x == 0) __threadfence();
  if (last)
    for (int b = 0; b < 4; ++b) atomicAdd(&w->sum, w->part[b][threadIdx.x]);  // expect: race_global
}

int main() {
  Room* r;
  Wide* w;
  cudaMalloc(&r, sizeof(Room));
  cudaMalloc(&w, sizeof(Wide));
  cudaMemset(r, 0, sizeof(Room));
  mp_relaxed_store<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_relaxed_load<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_store_acquires<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_no_fence_behind<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_no_fence_before<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_volatile_no_fence_behind<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_fence_of_block<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_fence_of_block_behind<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_scope_of_block<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_other_flag<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  wrc_relaxed_between<<<3, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  wrc_relaxed_load_between<<<3, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  iriw_relaxed_stores<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  iriw_relaxed_loads<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  iriw_scope_of_block<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lb_relaxed_store<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lb_relaxed_load<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lb_fence_of_block<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  sb_relaxed<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lock_relaxed<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  unlock_relaxed<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lock_no_fence_behind<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  unlock_fence_of_block<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lock_scope_of_block<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_only_releases<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_only_acquires<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_no_fence_behind<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_fence_of_block<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_scope_of_block<<<4, 1>>>(r);
  cudaMemset(w, 0, sizeof(Wide));
  barrier_no_fence_behind<<<4, 64>>>(w);
  cudaMemset(w, 0, sizeof(Wide));
  barrier_fence_of_one<<<4, 64>>>(w);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(r), cudaFree(w);
  return error != cudaSuccess;
}
