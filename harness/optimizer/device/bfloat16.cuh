// What tensor cores multiply, instead of half.cuh.
#pragma once

#include <cuda_bf16.h>

using Half = __nv_bfloat16;  // what tensor cores multiply
