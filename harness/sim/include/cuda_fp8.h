// The simulator's <cuda_fp8.h>: e4m3 and e5m2.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "workbook_sim/fp8.h"
