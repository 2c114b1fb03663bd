// The simulator's <sm_20_intrinsics.h>.
#pragma once

#include "cuda_runtime.h"
