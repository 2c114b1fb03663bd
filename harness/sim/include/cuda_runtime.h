// The simulator's <cuda_runtime.h>: ordinary CUDA C++ compiles against it with a plain C++20 compiler.
// What is not here fails to compile with the missing name; nothing is accepted and ignored.
#pragma once

// What nvcc and the toolkit's own headers define, for programs that look. The same names keep those headers
// of an installed toolkit out that have no stand-in here.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __HOST_DEFINES_H__
#define __CUDART_API_VERSION 13000
#define CUDART_VERSION 13000
#define CUDARTAPI  // a calling convention of other systems
// What __CUDA_ARCH__ and __CUDACC__ become in the program's own files (translate/rewrite.h): libcu++ would
// take the latter for a compiler with a device pass.
#define WORKBOOK_SIM_ARCH 900
#define WORKBOOK_SIM_CUDACC 1

// libcu++ (cuda/std) takes half and bfloat16 from here, and leaves the 8 bit types alone.
#define CCCL_DISABLE_NVFP8_SUPPORT

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
// Which the toolkit's own header brings, and programs take for granted.
#include <limits.h>
#include <string.h>
#include <time.h>

#include "workbook_sim/arithmetic.h"
#include "workbook_sim/atomic_builtins.h"
#include "workbook_sim/atomics.h"
#include "workbook_sim/builtins.h"
#include "workbook_sim/cache_hints.h"
#include "workbook_sim/cluster_functions.h"
#include "workbook_sim/device_printf.h"
#include "workbook_sim/dpx_functions.h"
#include "workbook_sim/engine_api.h"
#include "workbook_sim/intrinsics.h"
#include "workbook_sim/kernel_call.h"
#include "workbook_sim/launch.h"
#include "workbook_sim/math.h"
#include "workbook_sim/ptx.h"
#include "workbook_sim/red_zones.h"
#include "workbook_sim/runtime_api.h"
#include "workbook_sim/shared_shape.h"
#include "workbook_sim/simd_intrinsics.h"
#include "workbook_sim/texture_functions.h"
#include "workbook_sim/two_spaces.h"
#include "workbook_sim/unset.h"
#include "workbook_sim/vector_types.h"
#include "workbook_sim/warp_functions.h"
