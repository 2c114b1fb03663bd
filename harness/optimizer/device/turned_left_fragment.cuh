// Fragments of what is left, of a tile that lies the other way.
#pragma once

#include "optimizer/device/fragments.cuh"

// Of a tile whose columns are the rows of what is multiplied.
using TurnedLeftFragment = wmma::fragment<wmma::matrix_a, 16, 16, 16, Half, wmma::col_major>;
