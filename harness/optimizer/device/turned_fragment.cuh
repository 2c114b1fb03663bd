// Fragments of what is right, of a tile that lies the other way.
#pragma once

#include "optimizer/device/fragments.cuh"

// Of a tile whose rows are the columns of what is multiplied.
using TurnedFragment = wmma::fragment<wmma::matrix_b, 16, 16, 16, Half, wmma::col_major>;
