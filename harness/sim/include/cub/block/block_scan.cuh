// The simulator's <cub/block/block_scan.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/block_scan.h"
