// The simulator's <cub/device/device_scan.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device.h"
