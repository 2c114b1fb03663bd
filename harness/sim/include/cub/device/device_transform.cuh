// The simulator's <cub/device/device_transform.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/transform.h"
