// What tensor cores multiply, where that is half; bfloat16.cuh takes its place where it is bfloat16.
#pragma once

#include <cuda_fp16.h>

using Half = half;  // what tensor cores multiply
