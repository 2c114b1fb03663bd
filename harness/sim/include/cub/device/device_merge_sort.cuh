// The simulator's <cub/device/device_merge_sort.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device_sort.h"
