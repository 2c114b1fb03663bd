// What tensor cores multiply, as the library has it.
#pragma once

#include <mma.h>

#include "optimizer/device/half.cuh"

// Tensor cores multiply fragments: 16 x 16 elements that the registers of a warp hold together. Which lane
// has which of them is not said, so all lanes load, multiply and store them together.
namespace wmma = nvcuda::wmma;
using LeftFragment = wmma::fragment<wmma::matrix_a, 16, 16, 16, Half, wmma::row_major>;
using RightFragment = wmma::fragment<wmma::matrix_b, 16, 16, 16, Half, wmma::row_major>;
using SumFragment = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
