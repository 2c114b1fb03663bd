// The simulator's <cub/device/device_for.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/device_for.h"
