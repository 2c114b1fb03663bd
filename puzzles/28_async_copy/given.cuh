// Puzzle 28, what the learner is handed: what shared memory holds where the terrain has no column.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cuda/pipeline>

#include "sizes.h"

// The state of a pipeline in shared memory has a constructor, which make_pipeline() makes up for.
#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

constexpr int kPadded = kReach + kColumns + kReach;  // a row with room for a step off either edge
constexpr float kOutside = 1e30f;                    // what it costs to be where no column is

// Fills with kOutside what the thread's column is alone to fill, if it lies outside of the terrain, and the
// room at both ends of the sums. Ends with a barrier.
template <int kStages>
__device__ void fill_outside(float (&stages)[kStages][kColumns], float (&sums)[2][kPadded], int columns) {
  const int c = threadIdx.x;
  if (c >= columns)
    for (int stage = 0; stage < kStages; ++stage) stages[stage][c] = kOutside;
  if (c < kReach)
    for (int i = 0; i < 2; ++i) sums[i][c] = sums[i][kReach + kColumns + c] = kOutside;
  __syncthreads();
}
