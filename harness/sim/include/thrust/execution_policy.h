// The simulator's <thrust/execution_policy.h>.
#pragma once

#include "../cuda_runtime.h"
#include "../workbook_sim/thrust/policy.h"
