// The simulator's <thrust/transform.h>.
#pragma once

#include "../cuda_runtime.h"
#include "../workbook_sim/thrust/transform.h"
