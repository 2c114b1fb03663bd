// The simulator's <cub/block/block_reduce.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/block_reduce.h"
