// The simulator's <cub/thread/thread_operators.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/common.h"
