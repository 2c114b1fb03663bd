// The simulator's <thrust/transform.h>: of programs that use no more of Thrust, all that there is; else
// Thrust's own.
#pragma once

#ifdef WORKBOOK_SIM_WHOLE_THRUST
#include_next <thrust/transform.h>
#else
#include "../cuda_runtime.h"
#include "../workbook_sim/thrust/transform.h"
#endif
