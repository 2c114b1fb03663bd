// The tests by which memory models are told apart, with orders and scopes that suffice: message passing, a
// chain of three, independent reads of independent writes, load and store buffering, locks, the last block,
// barriers between.
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

__global__ void mp_orders(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    Device<int>(r->flag[0]).store(1, kRelease);
  } else {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];
  }
}

__global__ void mp_strongest(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    Device<int>(r->flag[0]).store(1);
  } else {
    while (Device<int>(r->flag[0]).load() == 0) {
    }
    r->out[0] = r->data[0];
  }
}

__global__ void mp_fences(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    __threadfence();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    __threadfence();
    r->out[0] = r->data[0];
  }
}

__global__ void mp_fences_of_orders(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    cuda::atomic_thread_fence(kRelease, cuda::thread_scope_device);
    Device<int>(r->flag[0]).store(1, kRelaxed);
  } else {
    while (Device<int>(r->flag[0]).load(kRelaxed) == 0) {
    }
    cuda::atomic_thread_fence(kAcquire, cuda::thread_scope_device);
    r->out[0] = r->data[0];
  }
}

__global__ void mp_volatile(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    __threadfence();
    *static_cast<volatile int*>(&r->flag[0]) = 1;
  } else {
    while (*static_cast<volatile int*>(&r->flag[0]) == 0) {
    }
    __threadfence();
    r->out[0] = r->data[0];
  }
}

__global__ void mp_system(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    __threadfence_system();
    atomicExch_system(&r->flag[0], 1);
  } else {
    while (atomicAdd_system(&r->flag[0], 0) == 0) {
    }
    __threadfence_system();
    r->out[0] = r->data[0];
  }
}

__global__ void mp_volatile_data(Room* r) {
  volatile int* data = r->data;
  if (blockIdx.x == 0) {
    data[0] = 7;
    __threadfence();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    r->out[0] = data[0];
  }
}

__global__ void wrc_orders(Room* r) {
  if (blockIdx.x == 0) {
    r->data[0] = 7;
    Device<int>(r->flag[0]).store(1, kRelease);
  } else if (blockIdx.x == 1) {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    Device<int>(r->flag[1]).store(1, kRelease);
  } else {
    while (Device<int>(r->flag[1]).load(kAcquire) == 0) {
    }
    r->out[0] = r->data[0];
  }
}

__global__ void iriw_orders(Room* r) {
  const int b = blockIdx.x;
  if (b < 2) {
    r->data[b] = 7;
    Device<int>(r->flag[b]).store(1, kRelease);
  } else {
    for (int k = 0; k < 2; ++k)
      while (Device<int>(r->flag[(b + k) % 2]).load(kAcquire) == 0) {
      }
    r->out[b] = r->data[0] + r->data[1];
  }
}

__global__ void iriw_strongest(Room* r) {
  const int b = blockIdx.x;
  if (b < 2) {
    r->data[b] = 7;
    Device<int>(r->flag[b]).store(1, kStrongest);
  } else {
    for (int k = 0; k < 2; ++k)
      while (Device<int>(r->flag[(b + k) % 2]).load(kStrongest) == 0) {
      }
    r->out[b] = r->data[0] + r->data[1];
  }
}

__global__ void lb_orders(Room* r) {
  if (blockIdx.x == 0) {
    r->out[0] = r->data[0];
    Device<int>(r->flag[0]).store(1, kRelease);
  } else {
    while (Device<int>(r->flag[0]).load(kAcquire) == 0) {
    }
    r->data[0] = 9;
  }
}

__global__ void lb_fences(Room* r) {
  if (blockIdx.x == 0) {
    r->out[0] = r->data[0];
    __threadfence();
    atomicExch(&r->flag[0], 1);
  } else {
    while (atomicAdd(&r->flag[0], 0) == 0) {
    }
    __threadfence();
    r->data[0] = 9;
  }
}

__global__ void sb_strongest(Room* r) {
  const int me = blockIdx.x, other = 1 - me;
  Device<int>(r->flag[me]).store(1, kStrongest);
  Device<int>(r->turn).exchange(other, kStrongest);
  while (Device<int>(r->flag[other]).load(kStrongest) == 1 &&
         Device<int>(r->turn).load(kStrongest) == other) {
  }
  r->data[0] += 1;
  Device<int>(r->flag[me]).store(0, kRelease);
}

__global__ void sb_fences(Room* r) {
  const int me = blockIdx.x, other = 1 - me;
  volatile int *flag = r->flag, *turn = &r->turn;
  atomicExch(&r->flag[me], 1);
  atomicExch(&r->turn, other);
  __threadfence();
  while (flag[other] == 1 && *turn == other) {
  }
  __threadfence();
  r->data[0] += 1;
  __threadfence();
  atomicExch(&r->flag[me], 0);
}

__global__ void lock_orders(Room* r) {
  while (Device<int>(r->lock).exchange(1, kAcquire) != 0) {
  }
  r->data[0] += 1;
  Device<int>(r->lock).store(0, kRelease);
}

__global__ void lock_fences(Room* r) {
  while (atomicCAS(&r->lock, 0, 1) != 0) {
  }
  __threadfence();
  r->data[0] += 1;
  __threadfence();
  atomicExch(&r->lock, 0);
}

__global__ void last_orders(Room* r) {
  r->data[blockIdx.x] = 5;
  const bool last = Device<int>(r->count).fetch_add(1, kBoth) == 3;
  if (!last) return;
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];
}

__global__ void last_fences(Room* r) {
  r->data[blockIdx.x] = 5;
  __threadfence();
  const bool last = atomicAdd(&r->count, 1) == 3;
  if (!last) return;
  __threadfence();
  for (int b = 0; b < 4; ++b) r->out[0] += r->data[b];
}

__global__ void barrier_before_fence(Wide* w) {
  __shared__ bool last;
  w->part[blockIdx.x][threadIdx.x] = 5;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(&w->count, 1) == 3;
    __threadfence();
  }
  __syncthreads();
  if (last)
    for (int b = 0; b < 4; ++b) atomicAdd(&w->sum, w->part[b][threadIdx.x]);
}

__global__ void barrier_between(Wide* w) {
  __shared__ bool last;
  w->part[blockIdx.x][threadIdx.x] = 5;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&w->count, 1) == 3;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (int b = 0; b < 4; ++b) atomicAdd(&w->sum, w->part[b][threadIdx.x]);
}

__global__ void barrier_and_orders(Wide* w) {
  __shared__ bool last;
  w->part[blockIdx.x][threadIdx.x] = 5;
  __syncthreads();
  if (threadIdx.x == 0) last = Device<int>(w->count).fetch_add(1, kBoth) == 3;
  __syncthreads();
  if (last)
    for (int b = 0; b < 4; ++b) atomicAdd(&w->sum, w->part[b][threadIdx.x]);
}

__global__ void in_block(Wide* w) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 7;
    __threadfence_block();
    atomicExch_block(&flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(&flag, 0) == 0) {
    }
    __threadfence_block();
    w->sum = data;
  }
}

__global__ void count_in_block(Wide* w) {
  atomicAdd_block(&w->part[blockIdx.x][0], 1);
  Block<int>(w->part[blockIdx.x][1]).fetch_add(1, kRelaxed);
}

int main() {
  Room* r;
  Wide* w;
  cudaMalloc(&r, sizeof(Room));
  cudaMalloc(&w, sizeof(Wide));
  cudaMemset(r, 0, sizeof(Room));
  mp_orders<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_strongest<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_fences<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_fences_of_orders<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_volatile<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_system<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  mp_volatile_data<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  wrc_orders<<<3, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  iriw_orders<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  iriw_strongest<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lb_orders<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lb_fences<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  sb_strongest<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  sb_fences<<<2, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lock_orders<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  lock_fences<<<8, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_orders<<<4, 1>>>(r);
  cudaMemset(r, 0, sizeof(Room));
  last_fences<<<4, 1>>>(r);
  cudaMemset(w, 0, sizeof(Wide));
  barrier_before_fence<<<4, 64>>>(w);
  cudaMemset(w, 0, sizeof(Wide));
  barrier_between<<<4, 64>>>(w);
  cudaMemset(w, 0, sizeof(Wide));
  barrier_and_orders<<<4, 64>>>(w);
  cudaMemset(w, 0, sizeof(Wide));
  in_block<<<1, 64>>>(w);
  cudaMemset(w, 0, sizeof(Wide));
  count_in_block<<<4, 64>>>(w);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(r), cudaFree(w);
  return error != cudaSuccess;
}
