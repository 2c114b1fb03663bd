// The simulator's <surface_types.h>.
#pragma once

#include "cuda_runtime.h"
