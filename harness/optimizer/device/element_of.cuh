// Which elements of a tile are a thread's.
#pragma once

// Which element of a tile is the thread's number j: kColumns of a row of kRow, then as many of further rows.
template <int kThreads, int kRow, int kColumns>
__device__ inline int element_of(int j) {
  constexpr int kLanes = kRow / kColumns;
  const int thread = threadIdx.x;
  return (thread / kLanes + j / kColumns * (kThreads / kLanes)) * kRow + thread % kLanes +
         j % kColumns * kLanes;
}
