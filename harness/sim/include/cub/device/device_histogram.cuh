// The simulator's <cub/device/device_histogram.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device_select.h"
