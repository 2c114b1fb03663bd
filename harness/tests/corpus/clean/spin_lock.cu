// A lock done right: taken by one thread of a block, with fences on both sides of what it guards.
#include <cuda_runtime.h>

#include <cstdio>

struct Account {
  int lock, balance, bookings;
};

__global__ void book(Account* account) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&account->lock, 0, 1) != 0) __nanosleep(50);
    __threadfence();
    account->balance += blockIdx.x;
    account->bookings += 1;
    __threadfence();
    atomicExch(&account->lock, 0);
  }
}

int main() {
  const int blocks = 40;
  Account account{}, *d_account;
  cudaMalloc(&d_account, sizeof(Account));
  cudaMemset(d_account, 0, sizeof(Account));
  book<<<blocks, 64>>>(d_account);
  cudaMemcpy(&account, d_account, sizeof(Account), cudaMemcpyDeviceToHost);
  std::printf("%d bookings, balance %d\n", account.bookings, account.balance);
  cudaFree(d_account);
  return account.balance != blocks * (blocks - 1) / 2 || account.bookings != blocks;
}
