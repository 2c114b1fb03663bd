// The simulator's <curand.h>.
#pragma once

#include "cuda_runtime.h"
#include "workbook_sim/libraries/curand.h"
