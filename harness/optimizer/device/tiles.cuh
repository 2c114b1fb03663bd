// Tiles in shared memory that come by asynchronous copies.
#pragma once

#include <cuda_pipeline.h>

// Elements behind each row of a tile in shared memory: the next one begins in other banks.
constexpr int kPad = 8;
