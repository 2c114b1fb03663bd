// The simulator's <cuda.h>: the driver API, as far as programs use it beside the runtime.
#pragma once

#define __cuda_cuda_h__  // what NVIDIA's header defines, and programs look for

#include "cuda_runtime.h"
#include "workbook_sim/runtime/driver.h"
#include "workbook_sim/runtime/driver_arrays.h"
#include "workbook_sim/runtime/driver_mapping.h"
#include "workbook_sim/runtime/tensor_maps.h"
