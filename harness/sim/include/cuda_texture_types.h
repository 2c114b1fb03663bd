// The simulator's <cuda_texture_types.h>.
#pragma once

#include "cuda_runtime.h"
