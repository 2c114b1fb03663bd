// The simulator's <thrust/execution_policy.h>: see transform.h.
#pragma once

#ifdef WORKBOOK_SIM_WHOLE_THRUST
#include_next <thrust/execution_policy.h>
#else
#include "../cuda_runtime.h"
#include "../workbook_sim/thrust/policy.h"
#endif
