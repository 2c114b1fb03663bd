// The simulator's <cub/warp/warp_scan.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/warp.h"
