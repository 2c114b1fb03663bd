// The simulator's <cub/device/device_segmented_reduce.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device_select.h"
