// The simulator's <cub/cub.cuh>.
#pragma once

#include "../cuda_runtime.h"
#include "../workbook_sim/cub/block_io.h"
#include "../workbook_sim/cub/block_more.h"
#include "../workbook_sim/cub/block_reduce.h"
#include "../workbook_sim/cub/block_scan.h"
#include "../workbook_sim/cub/device.h"
#include "../workbook_sim/cub/device_sort.h"
#include "../workbook_sim/cub/transform.h"
#include "../workbook_sim/cub/warp.h"
