// The simulator's <cub/device/device_run_length_encode.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device_select.h"
