// The simulator's <thrust/system/cuda/execution_policy.h>: see ../../transform.h.
#pragma once

#ifdef WORKBOOK_SIM_WHOLE_THRUST
#include_next <thrust/system/cuda/execution_policy.h>
#else
#include "../../execution_policy.h"
#endif
