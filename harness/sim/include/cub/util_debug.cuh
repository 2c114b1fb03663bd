// The simulator's <cub/util_debug.cuh>.
#pragma once

#include "../cuda_runtime.h"
#include "../workbook_sim/cub/common.h"
