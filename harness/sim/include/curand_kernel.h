// The simulator's <curand_kernel.h>.
#pragma once

#include "workbook_sim/libraries/curand.h"
#include "workbook_sim/libraries/curand_kernel.h"
#include "workbook_sim/libraries/curand_mrg32k3a.h"
#include "workbook_sim/libraries/curand_sobol.h"
