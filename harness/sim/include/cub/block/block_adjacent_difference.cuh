// The simulator's <cub/block/block_adjacent_difference.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/block_more.h"
