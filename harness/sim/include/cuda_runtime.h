// The simulator's <cuda_runtime.h>: ordinary CUDA C++ compiles against it with a plain C++20 compiler.
// What is not here fails to compile with the missing name; nothing is accepted and ignored.
#pragma once

// libcu++ (cuda/std) takes half and bfloat16 from here, and leaves the 8 bit types alone.
#define CCCL_DISABLE_NVFP8_SUPPORT

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "workbook_sim/atomics.h"
#include "workbook_sim/builtins.h"
#include "workbook_sim/cache_hints.h"
#include "workbook_sim/engine_api.h"
#include "workbook_sim/intrinsics.h"
#include "workbook_sim/launch.h"
#include "workbook_sim/math.h"
#include "workbook_sim/runtime_api.h"
#include "workbook_sim/shared_shape.h"
#include "workbook_sim/simd_intrinsics.h"
#include "workbook_sim/vector_types.h"
#include "workbook_sim/warp_functions.h"
