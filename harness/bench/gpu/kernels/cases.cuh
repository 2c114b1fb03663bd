// What a case is, and how the sizes shape its grids.
#pragma once

#include <string>
#include <vector>

#include "workspace.cuh"

/// One kernel launch. `flops`: an addition, a multiplication or a comparison is 1, exponential, division and
/// root 10, tanh 20.
struct Launch {
  std::string kernel;
  void (*enqueue)(const Workspace&, const Sizes&, cudaStream_t);
  double flops = 0;
};

/// Launches that belong together, and what they leave behind.
struct Case {
  std::string name;  ///< those of a pair are called PAIR_unfused and PAIR_fused, and compute the same
  std::vector<Launch> launches;
  int floats = 0;  ///< of workspace.out that it writes; their sum is its checksum
  int bins = 0;    ///< of workspace.bins, likewise
};

std::vector<Case> all_cases(const Sizes& sizes);

constexpr int kBlock = 256;

inline unsigned blocks_of(int count, int block = kBlock) {
  return static_cast<unsigned>((count + block - 1) / block);
}

/// Grid of square tiles over a square matrix.
inline dim3 tiles_of(int size, int tile) { return dim3(blocks_of(size, tile), blocks_of(size, tile)); }
