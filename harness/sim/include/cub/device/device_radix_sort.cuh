// The simulator's <cub/device/device_radix_sort.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device_sort.h"
