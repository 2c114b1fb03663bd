// The simulator's <cuda_surface_types.h>.
#pragma once

#include "cuda_runtime.h"
